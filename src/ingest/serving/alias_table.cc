#include "ingest/serving/alias_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "catalog/yaml_fields.h"
#include "model/serving.h"

namespace plimsoll {
namespace {

constexpr std::array kCounters{kRequestsAll, kRequestsOk,   kRequestsFailed, kRequestsAborted,
                               kTokensInput, kTokensCached, kTokensOutput};
constexpr std::array kDurations{kTtft, kTpot, kItl, kNtpot, kE2e, kQueueTime};
constexpr std::array kLevels{kRunning, kWaiting, kKvCacheUsed};
constexpr std::array<const char*, 5> kSuffixes{"_total", "_bucket", "_sum", "_count", "_created"};

template <std::size_t n>
bool IsOneOf(const std::array<const char*, n>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string WithoutSuffix(std::string_view name, std::string_view suffix) {
  return std::string(name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name);
}

// Reads "label=a|b" or "label!=a".
std::optional<LabelRule> ParseRule(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  LabelRule rule;
  rule.negated = text[equals - 1] == '!';
  rule.label = text.substr(0, equals - (rule.negated ? 1 : 0));
  if (rule.label.empty()) return std::nullopt;
  for (std::size_t from = equals + 1;;) {
    const std::size_t bar = std::min(text.find('|', from), text.size());
    rule.values.push_back(text.substr(from, bar - from));
    if (bar == text.size()) return rule;
    from = bar + 1;
  }
}

bool IsVersion(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

// Insertions, deletions and replacements that make `b` of `a`.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, corner + 1, row[j] + 1});
    }
  }
  return row.back();
}

// ---- reading the file --------------------------------------------------------------------

class EngineReader {
 public:
  EngineReader(YAML::Node map, std::string file, std::string path, std::vector<Rejection>& problems)
      : fields_(std::move(map), file, path, problems),
        file_(std::move(file)),
        problems_(problems) {}

  EngineAliases Read() {
    EngineAliases engine;
    engine.name = fields_.RequiredText("engine");
    engine.prefixes = fields_.Texts("prefixes");
    engine.distinct_prefixes = Flag("distinct_prefixes");
    engine.front = Flag("front");
    engine.model_labels = fields_.Texts("model");
    engine.copies = Rules(fields_, "copies");
    engine.unused = fields_.Texts("unused");
    const std::vector<YAML::Node> metrics = fields_.Maps("metrics");
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      YamlFields fields(metrics[i], file_, fields_.PathOf("metrics", i), problems_);
      engine.rows.push_back(ReadRow(fields, engine));
      fields.Finish();
    }
    for (const std::string& text : fields_.Texts("other_values")) ReadOther(text, engine);
    if (engine.prefixes.empty()) {
      fields_.Problem("prefixes", "is missing; name what the engine's metrics begin with");
    }
    for (const std::string& name : engine.unused) CheckPrefix(fields_, "unused", name, engine);
    fields_.Finish();
    return engine;
  }

 private:
  bool Flag(const std::string& key) {
    const std::string text = fields_.Text(key);
    if (!text.empty() && text != "true" && text != "false") {
      fields_.Problem(key, "'" + text + "' must be true or false");
    }
    return text == "true";
  }

  static std::vector<LabelRule> Rules(YamlFields& fields, const std::string& key) {
    std::vector<LabelRule> rules;
    for (const std::string& text : fields.Texts(key)) {
      if (std::optional<LabelRule> rule = ParseRule(text)) {
        rules.push_back(std::move(*rule));
      } else {
        fields.Problem(key, "'" + text + "' must be label=value|value or label!=value");
      }
    }
    return rules;
  }

  void ReadOther(const std::string& text, EngineAliases& engine) {
    const std::size_t space = text.find(' ');
    std::optional<LabelRule> rule;
    if (space != std::string::npos) rule = ParseRule(text.substr(space + 1));
    if (!rule) {
      fields_.Problem("other_values", "'" + text + "' must be a metric, a space and label=value");
      return;
    }
    AliasRow row;
    row.metric = text.substr(0, space);
    row.where.push_back(std::move(*rule));
    CheckPrefix(fields_, "other_values", row.metric, engine);
    engine.other_values.push_back(std::move(row));
  }

  static void CheckPrefix(YamlFields& fields, const std::string& key, const std::string& name,
                          const EngineAliases& engine) {
    const std::size_t count = engine.distinct_prefixes ? engine.prefixes.size() : 1;
    for (std::size_t i = 0; i < std::min(count, engine.prefixes.size()); ++i) {
      if (name.starts_with(engine.prefixes[i])) return;
    }
    fields.Problem(key, "'" + name + "' does not begin with the engine's first prefix");
  }

  static AliasRow ReadRow(YamlFields& fields, const EngineAliases& engine) {
    AliasRow row;
    row.quantity = fields.RequiredText("quantity");
    row.metric = fields.RequiredText("name");
    row.rank = static_cast<int>(std::min<std::int64_t>(fields.Integer("rank", 1, 1), 99));
    row.where = Rules(fields, "where");
    row.from = fields.Text("from");
    row.until = fields.Text("until");
    for (const auto& [key, version] :
         {std::pair("from", row.from), std::pair("until", row.until)}) {
      if (!IsVersion(version)) fields.Problem(key, "'" + version + "' must be a version, as 0.9");
    }
    CheckPrefix(fields, "name", row.metric, engine);
    ReadType(fields, row);
    ReadUnit(fields, row);
    return row;
  }

  static void ReadType(YamlFields& fields, AliasRow& row) {
    static const std::map<std::string, MetricType> kTypes{{"counter", MetricType::kCounter},
                                                          {"gauge", MetricType::kGauge},
                                                          {"histogram", MetricType::kHistogram}};
    const std::string type = fields.RequiredText("type");
    const auto found = kTypes.find(type);
    if (found == kTypes.end()) {
      fields.Problem("type", "'" + type + "' must be counter, gauge or histogram");
      return;
    }
    row.type = found->second;
    const bool counts = IsOneOf(kCounters, row.quantity);
    const bool level = IsOneOf(kLevels, row.quantity);
    if (!counts && !level && !IsOneOf(kDurations, row.quantity)) {
      fields.Problem("quantity", "'" + row.quantity + "' is no quantity of serving-metrics.md");
    } else if (level != (row.type == MetricType::kGauge)) {
      fields.Problem("type", "a level is a gauge, and nothing else is");
    }
    // Of a histogram of tokens the sum is the counter.
    const std::string part = fields.Text("part");
    if ((counts && row.type == MetricType::kHistogram) != (part == "sum") ||
        (!part.empty() && part != "sum")) {
      fields.Problem("part", "must be sum for counters that are a histogram's sum, else absent");
    }
  }

  static void ReadUnit(YamlFields& fields, AliasRow& row) {
    static const std::map<std::string, int> kSeconds{{"s", 9}, {"ms", 6}, {"us", 3}, {"ns", 0}};
    static const std::map<std::string, int> kRatios{{"ratio", 6}, {"percent", 4}};
    const std::string unit = fields.Text("unit");
    const auto one_of = [&](const std::map<std::string, int>& units, const char* names) {
      const auto found = units.find(unit);
      if (found == units.end()) {
        fields.Problem("unit", "'" + unit + "' must be " + std::string(names));
      } else {
        row.scale = found->second;
      }
    };
    if (IsOneOf(kDurations, row.quantity)) return one_of(kSeconds, "s, ms, us or ns");
    if (row.quantity == kKvCacheUsed) return one_of(kRatios, "ratio or percent");
    if (!unit.empty()) fields.Problem("unit", "a count has none; leave it out");
    if (row.type == MetricType::kGauge) row.scale = 3;
  }

  YamlFields fields_;
  std::string file_;
  std::vector<Rejection>& problems_;
};

void Lay(EngineAliases over, std::vector<EngineAliases>& engines) {
  const auto found = std::find_if(engines.begin(), engines.end(),
                                  [&](const EngineAliases& e) { return e.name == over.name; });
  if (found == engines.end()) {
    engines.push_back(std::move(over));
    return;
  }
  std::erase_if(found->rows, [&](const AliasRow& row) {
    return std::any_of(over.rows.begin(), over.rows.end(),
                       [&](const AliasRow& other) { return other.metric == row.metric; });
  });
  const auto append = [](auto& to, const auto& from) {
    for (const auto& item : from) to.push_back(item);
  };
  append(found->rows, over.rows);
  append(found->unused, over.unused);
  append(found->other_values, over.other_values);
  for (const std::string& prefix : over.prefixes) {
    if (std::find(found->prefixes.begin(), found->prefixes.end(), prefix) ==
        found->prefixes.end()) {
      found->prefixes.push_back(prefix);
    }
  }
  if (!over.model_labels.empty()) found->model_labels = over.model_labels;
  if (!over.copies.empty()) found->copies = over.copies;
}

}  // namespace

bool LabelRule::Holds(const SeriesLabels& series) const {
  const bool listed = std::find(values.begin(), values.end(), series.Get(label)) != values.end();
  return listed != negated;
}

Result<AliasTable> AliasTable::Load(const std::vector<CatalogFile>& files) {
  std::vector<Rejection> problems;
  AliasTable table;
  for (const CatalogFile& file : files) {
    if (file.text.find("serving_engines") == std::string::npos) continue;
    const std::optional<YAML::Node> document = ParseYaml(file.name, file.text, problems);
    if (!document) continue;
    YamlFields fields(*document, file.name, "", problems);
    const std::vector<YAML::Node> engines = fields.Maps("serving_engines");
    for (std::size_t i = 0; i < engines.size(); ++i) {
      EngineReader reader(engines[i], file.name, fields.PathOf("serving_engines", i), problems);
      Lay(reader.Read(), table.engines_);
    }
  }
  if (!problems.empty()) {
    std::string message;
    for (const Rejection& problem : problems) {
      message += (message.empty() ? "" : "\n") + problem.file + ":" + std::to_string(problem.line) +
                 ": " + problem.field + ": " + problem.reason;
    }
    return Error{ErrorCode::kBadData, std::move(message)};
  }
  table.Index();
  return table;
}

void AliasTable::Index() {
  uses_.clear();
  passed_.clear();
  for (const EngineAliases& engine : engines_) {
    for (const AliasRow& row : engine.rows) {
      const std::string base = WithoutSuffix(row.metric, "_total");
      const bool is_duration = IsOneOf(kDurations, row.quantity);
      if (row.type == MetricType::kHistogram) {
        if (is_duration) uses_[row.metric + "_bucket"].push_back({&row, SamplePart::kBucket});
        uses_[row.metric + "_sum"].push_back(
            {&row, is_duration ? SamplePart::kSum : SamplePart::kValue});
        // The +Inf bucket is the count.
        for (const char* suffix : {"_bucket", "_count", "_created"}) {
          passed_.insert(row.metric + suffix);
        }
        continue;
      }
      const SamplePart part = is_duration ? SamplePart::kSum : SamplePart::kValue;
      uses_[row.metric].push_back({&row, part});
      // OpenMetrics names the family without _total, and some pipelines keep that name.
      if (base != row.metric) uses_[base].push_back({&row, part});
      passed_.insert(base + "_created");
    }
  }
}

void AliasTable::AddPrefix(std::string_view engine, const std::string& prefix) {
  for (EngineAliases& known : engines_) {
    if (known.name != engine || prefix.empty()) continue;
    known.prefixes.push_back(prefix.ends_with("_") ? prefix : prefix + "_");
  }
}

AliasTable::Spelling AliasTable::SpellingOf(std::string_view name) const {
  Spelling best;
  std::size_t longest = 0;
  for (const EngineAliases& engine : engines_) {
    for (const std::string& prefix : engine.prefixes) {
      if (!name.starts_with(prefix) || prefix.size() <= longest) continue;
      longest = prefix.size();
      best.engine = &engine;
      best.canonical = engine.distinct_prefixes
                           ? std::string(name)
                           : engine.prefixes.front() + std::string(name.substr(prefix.size()));
    }
  }
  return best;
}

bool AliasTable::IsUnused(const EngineAliases& engine, const std::string& canonical) const {
  const auto matches = [](const std::string& pattern, std::string_view name) {
    if (pattern.ends_with("*")) {
      return name.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
    }
    return name == pattern;
  };
  for (const std::string& pattern : engine.unused) {
    if (matches(pattern, canonical)) return true;
    const std::string base = WithoutSuffix(pattern, "_total");
    for (const char* suffix : kSuffixes) {
      const std::string rest = WithoutSuffix(canonical, suffix);
      if (rest != canonical && (matches(pattern, rest) || rest == base)) return true;
    }
    if (canonical == base) return true;
  }
  return false;
}

NameMatch AliasTable::Find(std::string_view name) const {
  NameMatch match;
  if (std::count(name.begin(), name.end(), ':') > 1) return match;
  const Spelling spelling = SpellingOf(name);
  if (spelling.engine == nullptr) return match;
  match.engine = spelling.engine;
  const auto found = uses_.find(spelling.canonical);
  if (found != uses_.end()) {
    match.kind = NameKind::kRead;
    match.uses = &found->second;
  } else if (passed_.contains(spelling.canonical) ||
             IsUnused(*spelling.engine, spelling.canonical)) {
    match.kind = NameKind::kPassed;
  } else {
    match.kind = NameKind::kUnknown;
  }
  return match;
}

std::string AliasTable::Versions(const EngineAliases& engine, const AliasRow& row) {
  if (row.from.empty() && row.until.empty()) return engine.name + ", every version";
  if (row.until.empty()) return engine.name + " " + row.from + " and later";
  if (row.from.empty()) return engine.name + " up to " + row.until;
  return engine.name + " " + row.from + " to " + row.until;
}

std::string AliasTable::UnknownReason(std::string_view name) const {
  const Spelling spelling = SpellingOf(name);
  if (spelling.engine == nullptr) return "";
  std::string bare = spelling.canonical;
  for (const char* suffix : kSuffixes) {
    bare = WithoutSuffix(bare, suffix);
    if (bare != spelling.canonical) break;
  }
  const AliasRow* nearest = nullptr;
  std::size_t least = 0;
  for (const AliasRow& row : spelling.engine->rows) {
    const std::size_t distance = Distance(bare, WithoutSuffix(row.metric, "_total"));
    if (nearest == nullptr || distance < least) {
      nearest = &row;
      least = distance;
    }
  }
  std::string reason = "no known version of " + spelling.engine->name + " exports this metric";
  if (nearest != nullptr) {
    reason += "; the nearest known one is " + nearest->metric + " (" +
              Versions(*spelling.engine, *nearest) + ": " + nearest->quantity + ")";
  }
  return reason +
         "; it is not used, and what it would tell is unknown, not 0: say in a catalog file of "
         "your own what it is (list serving_engines)";
}

std::string AliasTable::NamePattern() const {
  std::string pattern;
  for (const EngineAliases& engine : engines_) {
    for (const std::string& prefix : engine.prefixes) {
      pattern += (pattern.empty() ? "" : "|") + prefix;
    }
  }
  return "(" + pattern + ").+";
}

std::vector<std::string> AliasTable::ReadNames() const {
  std::vector<std::string> names;
  for (const EngineAliases& engine : engines_) {
    for (const auto& [canonical, uses] : uses_) {
      if (SpellingOf(canonical).engine != &engine) continue;
      if (engine.distinct_prefixes) {
        names.push_back(canonical);
        continue;
      }
      for (const std::string& prefix : engine.prefixes) {
        names.push_back(prefix + canonical.substr(engine.prefixes.front().size()));
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace plimsoll
