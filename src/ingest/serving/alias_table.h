// AliasTable: which metric of which engine is which quantity, from catalog/serving_metrics.yaml.
//
// Engines rename their metrics from release to release. So a name that an engine's prefix claims
// and the table does not know is an error with the nearest known name, never a 0. Immutable
// after loading; safe to share between threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "ingest/prometheus/samples.h"

namespace plimsoll {

enum class MetricType : unsigned char { kCounter, kGauge, kHistogram };

// "finished_reason=stop|length", "error_type!=cancelled"; an absent label has the value "".
struct LabelRule {
  std::string label;
  std::vector<std::string> values;
  bool negated = false;

  bool Holds(const SeriesLabels& series) const;
};

// One metric (with some label values) as a quantity of model/serving.h.
struct AliasRow {
  std::string quantity;
  std::string metric;  // with the engine's first prefix, without _bucket, _sum, _count
  MetricType type = MetricType::kCounter;
  int scale = 0;  // the quantity's unit is the metric's x 10^scale
  int rank = 1;   // of several names of one quantity the lowest that is there counts
  std::vector<LabelRule> where;
  std::string from, until;  // versions that export it; "" not known, still there
};

struct EngineAliases {
  std::string name;
  std::vector<std::string> prefixes;  // the first is the table's; the others are spellings of it
  bool distinct_prefixes = false;     // they are not: names are written with each
  bool front = false;                 // sees requests that engines behind it count again
  std::vector<std::string> model_labels;
  std::vector<LabelRule> copies;  // series for which one does not hold repeat another's figures
  std::vector<AliasRow> rows;
  std::vector<std::string> unused;     // known names; "vllm:kv_block_*" is a family
  std::vector<AliasRow> other_values;  // metric and where alone: known values that are not used
};

// What a sample of a name is to its row: a counter or level, a bucket, or a sum of durations.
enum class SamplePart : unsigned char { kValue, kBucket, kSum };

struct NameUse {
  const AliasRow* row;
  SamplePart part;
};

enum class NameKind : unsigned char {
  kForeign,  // no engine's
  kRead,
  kPassed,   // known and not used
  kUnknown,  // an engine's prefix, but no name that the table knows
};

struct NameMatch {
  NameKind kind = NameKind::kForeign;
  const EngineAliases* engine = nullptr;
  const std::vector<NameUse>* uses = nullptr;  // of kRead
};

class AliasTable {
 public:
  AliasTable(AliasTable&&) = default;
  AliasTable& operator=(AliasTable&&) = default;
  AliasTable(const AliasTable&) = delete;  // its index points into itself
  AliasTable& operator=(const AliasTable&) = delete;

  // Reads the list serving_engines of every file that has one; a later file's rows of a metric
  // replace an earlier file's. Fails with kBadData, all problems, one a line.
  static Result<AliasTable> Load(const std::vector<CatalogFile>& files);

  // Dynamo's prefix can be set (DYN_METRICS_PREFIX): names with `prefix` are `engine`'s too.
  void AddPrefix(std::string_view engine, const std::string& prefix);

  // Recording rules ("vllm:ttft:p99", two colons) are nobody's.
  NameMatch Find(std::string_view name) const;

  // Why a kUnknown name is refused: the nearest known one, its versions and the remedy.
  std::string UnknownReason(std::string_view name) const;
  // As "vllm 0.9 to 0.12".
  static std::string Versions(const EngineAliases& engine, const AliasRow& row);

  // A regular expression of all names that the prefixes claim.
  std::string NamePattern() const;
  // All names that are read, in every spelling.
  std::vector<std::string> ReadNames() const;

  const std::vector<EngineAliases>& engines() const { return engines_; }

 private:
  AliasTable() = default;
  struct Spelling {
    const EngineAliases* engine = nullptr;
    std::string canonical;
  };
  Spelling SpellingOf(std::string_view name) const;
  bool IsUnused(const EngineAliases& engine, const std::string& canonical) const;
  void Index();

  std::vector<EngineAliases> engines_;
  std::map<std::string, std::vector<NameUse>, std::less<>> uses_;  // by canonical sample name
  std::set<std::string, std::less<>> passed_;                      // canonical sample names
};

}  // namespace plimsoll
