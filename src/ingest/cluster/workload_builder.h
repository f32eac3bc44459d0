// WorkloadBuilder: jobs one after another into a WorkloadReading; what it hands out is sound.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/cluster/row_fields.h"
#include "ingest/cluster/workload_reader.h"

namespace plimsoll {

class WorkloadBuilder {
 public:
  explicit WorkloadBuilder(const WorkloadSource& source) : source_(source) {}

  // The index of a queue, flavor or level of that name; a new one is added. Null past kFlavorsMax.
  std::uint32_t Queue(std::string_view name);
  std::optional<std::uint32_t> Flavor(std::string_view name);
  std::uint32_t Level(std::string_view name);

  // Sets pods and GPUs of each for a job of which only the GPUs are known.
  void Spread(std::int64_t gpus, TrainingJob& job) const;

  void Add(TrainingJob job);
  void Refuse(RefusedJob refused);
  void LeaveOut(const std::string& why);
  void Note(const std::string& sentence) { notes_.insert(sentence); }

  const WorkloadSource& source() const { return source_; }
  // Fails with kBadData if there is no job, saying why the first row was refused.
  Result<WorkloadReading> Finish();

 private:
  WorkloadSource source_;
  WorkloadReading reading_;
  std::map<std::string, std::uint32_t, std::less<>> queues_, flavors_, levels_;
  std::set<std::string> notes_;
};

// Pods of one size: {pods, GPUs of each}, the largest size up to `per_pod` that divides `gpus`.
// REQUIRES: gpus >= 0, per_pod > 0
std::pair<std::int32_t, std::int32_t> EqualPods(std::int64_t gpus, std::int32_t per_pod);

// The job of a row, or null where the row failed or was left out.
using JobRowReader = std::function<std::optional<TrainingJob>(RowFields&, WorkloadBuilder&)>;

struct JobTable {
  std::vector<std::string> required;    // columns, for the error
  std::vector<std::string> columns;     // where the text has no header: these are its columns
  std::vector<std::string> known = {};  // if any: a column that is none of them is an error
};

// Fails with kBadData, naming them, if one of `names` is not in `known`; `what` is "column".
Status CheckKnown(const std::string& file, const std::string& what,
                  const std::vector<std::string>& names, const std::vector<std::string>& known);

// Every row of a CSV with a header (or of `columns`) through `read`. Fails with kBadData where a
// required column is missing, naming those that are there.
Result<WorkloadReading> ReadJobTable(const WorkloadSource& source, const JobTable& table,
                                     const JobRowReader& read);

// What a state's name says; null for one that is no end ("RUNNING").
std::optional<JobEnd> EndOfState(std::string_view state);
// What the end_reason of a holding says ("Completed", "OutOfMemory"); kUnknown for any other.
JobEnd EndOfReason(std::string_view reason);

}  // namespace plimsoll
