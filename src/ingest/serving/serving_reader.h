// ServingReader: the metrics of inference engines, beside GPU telemetry in one import.
//
// A series' identity is its labels without those that a scraper adds (job, endpoint, replica);
// so two scrapes of one target count once. Copies that each rank of a parallel engine exports
// count once too. Keeps 24 bytes a sample until its day is stored; samples that fold to nothing
// of their own are dropped as soon as all of their time is known. Not thread-safe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/prometheus/companion.h"
#include "ingest/serving/alias_table.h"
#include "ingest/serving/counter_fold.h"
#include "model/serving.h"

namespace plimsoll {

class ServingReader : public Companion {
 public:
  explicit ServingReader(AliasTable table) : table_(std::move(table)) {}

  void Open(CompanionScope scope) override { scope_ = std::move(scope); }
  std::string kind() const override;
  std::int32_t OpenSeries(const SeriesLabels& series) override;
  SampleOutcome OnSample(std::int32_t series, std::int64_t at_ms, std::string_view value) override;
  std::string NamePattern() const override { return table_.NamePattern(); }
  std::vector<std::vector<std::string>> NamesToRead(const std::vector<std::string>& there) override;
  std::vector<std::string> AllNames() const override { return table_.ReadNames(); }
  void Settle(Instant until) override;
  std::vector<Window> Days() const override;
  Result<bool> StoreDay(Store& store, SnapshotLoad& load, Window day) override;
  void Report(ImportReport& report) const override;

  // The facts of `day`, in key order; forgets samples that no later day needs.
  ServingBatch TakeDay(Window day);

 private:
  // What a row is of, but for bucket and hour; all its series are folded together.
  struct Group {
    std::string ns, target, engine, model, quantity;
    friend auto operator<=>(const Group&, const Group&) = default;
  };
  struct Source {
    std::int32_t group = 0;
    SamplePart part = SamplePart::kValue;
    std::optional<std::int64_t> le_ns;
    int rank = 1;
    int scale = 0;
    bool is_level = false;
    std::int32_t seen = 0;     // of seen_
    std::int32_t names = 0;    // of names_: the target's metrics of this quantity
    std::int32_t process = 0;  // of restarts_
    std::vector<ServingSample> samples;
    std::set<std::int64_t> absent;  // hours (ms) with a NaN
  };
  struct Series {              // as a scraper names it
    std::int32_t source = -1;  // -1: passed over
    bool refused = false;      // a value of it is in the quarantine
  };
  using CellKey = std::pair<std::string, std::optional<std::int64_t>>;  // part, le_ns
  using Cells = std::map<CellKey, DayFold>;

  std::int32_t NewSeries(const SeriesLabels& series, const NameMatch& match);
  const NameUse* UseOf(const SeriesLabels& series, const NameMatch& match);
  std::int32_t SourceOf(const SeriesLabels& series, const NameMatch& match, const NameUse& use);
  void RefuseOnce(const std::string& name, std::string_view reason);
  void FindRestarts();
  std::optional<std::int64_t> BirthOf(const Source& source, std::int64_t at_ms) const;
  void FoldGroup(const Group& group, std::vector<Source*>& sources, Window day, ServingBatch& rows);
  void Emit(const Group& group, const Cells& cells, Window day,
            const std::set<std::int64_t>& absent, ServingBatch& rows);

  AliasTable table_;
  CompanionScope scope_;
  std::vector<Series> series_;
  std::unordered_map<std::string, std::int32_t> series_index_;
  std::vector<Source> sources_;
  std::unordered_map<std::string, std::int32_t> source_index_;
  std::vector<Group> groups_;
  std::map<Group, std::int32_t> group_index_;
  std::vector<SeenTimes> seen_;  // of a target's metrics
  std::unordered_map<std::string, std::int32_t> seen_index_;
  std::vector<std::set<std::int32_t>> names_;  // of seen_, by target and quantity
  std::unordered_map<std::string, std::int32_t> names_index_;
  std::vector<std::set<std::int64_t>> restarts_;  // of each process: first seen again at
  std::unordered_map<std::string, std::int32_t> process_index_;
  std::set<std::int64_t> days_;  // (ms) with samples not yet taken
  std::set<std::string> refused_names_;
  std::set<std::string> doubled_;  // targets that two scrapes told of at once
};

}  // namespace plimsoll
