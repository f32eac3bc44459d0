#include "cli/training_shard_file.h"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/hash.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::int64_t kItemsMax = 100'000'000;

// The waits' total is kept as text: it may pass what JSON readers hold as an integer.
std::string TextOf(int128 number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
    number /= 10;
  } while (number > 0);
  return digits;
}

Json WaitsJson(const WaitOutcome& outcome) {
  Json buckets = Json::array();
  for (const auto& [bucket, jobs] : outcome.waits.buckets()) buckets.push_back({bucket, jobs});
  return {{"waits", buckets},
          {"wait_ms", TextOf(outcome.waits.millis())},
          {"unstarted", outcome.waits.unstarted()},
          {"within", outcome.within},
          {"by_cause_ms", outcome.by_cause_ms}};
}

Json OutcomeJson(const ReplicationOutcome& outcome) {
  Json classes = Json::array(), gangs = Json::array();
  for (const WaitOutcome& one : outcome.classes) classes.push_back(WaitsJson(one));
  for (const WaitOutcome& one : outcome.gangs) gangs.push_back(WaitsJson(one));
  return {{"classes", classes},
          {"gangs", gangs},
          {"deadlines", {outcome.deadlines.hits, outcome.deadlines.count}},
          {"used", outcome.used},
          {"capacity", outcome.capacity},
          {"lost", outcome.lost},
          {"interruptions", outcome.interruptions},
          {"fingerprint", std::to_string(outcome.fingerprint)}};
}

// Reads fields and remembers the first that is wrong.
class Reader {
 public:
  bool ok() const { return wrong_.empty(); }
  const std::string& wrong() const { return wrong_; }
  void Wrong(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }

  const Json& Of(const Json& object, const std::string& key) {
    static const Json kNothing;
    if (object.is_object()) {
      const auto found = object.find(key);
      if (found != object.end()) return *found;
    }
    Wrong("'" + key + "' is missing");
    return kNothing;
  }
  std::int64_t Whole(const Json& value, const std::string& key) {
    if (value.is_number_unsigned()) {
      const auto number = value.get<std::uint64_t>();
      if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return static_cast<std::int64_t>(number);
      }
    }
    Wrong("'" + key + "' is no whole number from 0");
    return 0;
  }
  std::int64_t Number(const Json& object, const std::string& key) {
    return Whole(Of(object, key), key);
  }
  std::string Text(const Json& object, const std::string& key) {
    const Json& value = Of(object, key);
    if (value.is_string()) return value.get<std::string>();
    Wrong("'" + key + "' is no text");
    return "";
  }
  const Json& List(const Json& object, const std::string& key) {
    static const Json kEmpty = Json::array();
    const Json& value = Of(object, key);
    if (value.is_array()) return value;
    Wrong("'" + key + "' is no list");
    return kEmpty;
  }
  // Digits of at most that many.
  std::optional<int128> Digits(const std::string& text, std::size_t most) {
    int128 number = 0;
    for (const char c : text) {
      if (c < '0' || c > '9') return std::nullopt;
      number = number * 10 + (c - '0');
      if (--most == 0) break;
    }
    return text.empty() ? std::nullopt : std::optional(number);
  }

 private:
  std::string wrong_;
};

WaitOutcome ReadWaits(const Json& json, Reader& reader) {
  WaitOutcome outcome;
  for (const Json& pair : reader.List(json, "waits")) {
    const bool is_pair = pair.is_array() && pair.size() == 2;
    const std::int64_t bucket = is_pair ? reader.Whole(pair[0], "waits") : -1;
    const std::int64_t jobs = is_pair ? reader.Whole(pair[1], "waits") : 0;
    if (bucket < 0 || bucket > std::numeric_limits<std::uint32_t>::max() || jobs > kItemsMax ||
        !outcome.waits.AddBucket(static_cast<std::uint32_t>(bucket), jobs)) {
      reader.Wrong("'waits' has an entry that is no bucket with its number of jobs");
      break;
    }
  }
  const auto millis = reader.Digits(reader.Text(json, "wait_ms"), 36);
  if (!millis) reader.Wrong("'wait_ms' is no whole number");
  outcome.waits.SetMillis(millis.value_or(0));
  outcome.waits.SetUnstarted(reader.Number(json, "unstarted"));
  outcome.within = reader.Number(json, "within");
  if (outcome.within > outcome.waits.count()) reader.Wrong("'within' is more than all jobs");
  const Json& causes = reader.List(json, "by_cause_ms");
  if (causes.size() != kWaitCauses) {
    reader.Wrong("'by_cause_ms' has another number of causes");
    return outcome;
  }
  for (std::size_t i = 0; i < kWaitCauses; ++i) {
    outcome.by_cause_ms[i] = reader.Whole(causes[i], "by_cause_ms");
  }
  return outcome;
}

ReplicationOutcome ReadOutcome(const Json& json, Reader& reader) {
  ReplicationOutcome outcome;
  for (const Json& one : reader.List(json, "classes")) {
    outcome.classes.push_back(ReadWaits(one, reader));
  }
  for (const Json& one : reader.List(json, "gangs")) {
    outcome.gangs.push_back(ReadWaits(one, reader));
  }
  const Json& deadlines = reader.List(json, "deadlines");
  if (deadlines.size() == 2) {
    outcome.deadlines = {reader.Whole(deadlines[0], "deadlines"),
                         reader.Whole(deadlines[1], "deadlines")};
  }
  if (deadlines.size() != 2 || outcome.deadlines.hits > outcome.deadlines.count) {
    reader.Wrong("'deadlines' is no pair of met and all");
  }
  outcome.used = reader.Number(json, "used");
  outcome.capacity = reader.Number(json, "capacity");
  outcome.lost = reader.Number(json, "lost");
  if (outcome.used > outcome.capacity) reader.Wrong("'used' is more than 'capacity'");
  outcome.interruptions = reader.Number(json, "interruptions");
  const std::string digits = reader.Text(json, "fingerprint");
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), outcome.fingerprint);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    reader.Wrong("'fingerprint' is no whole number");
  }
  return outcome;
}

Error Bad(const std::string& file, const std::string& what) {
  return {ErrorCode::kBadData,
          file + ": " + what + "; give files that plan training --shard wrote, as they are"};
}

}  // namespace

std::string ShardJson(const Shard& shard) {
  const Json head = {{"plimsoll_shard", kVersion},    {"question", shard.plan.question},
                     {"shard", shard.index.index},    {"shards", shard.index.count},
                     {"points", shard.plan.points},   {"replications", shard.plan.replications},
                     {"classes", shard.plan.classes}, {"gangs", shard.plan.gangs}};
  std::string text = head.dump();
  text.back() = ',';  // one outcome a line
  text += "\"outcomes\":[";
  for (std::size_t i = 0; i < shard.outcomes.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + OutcomeJson(shard.outcomes[i]).dump();
  }
  return text + "\n]}\n";
}

Result<Shard> ReadShardJson(const std::string& file, std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("plimsoll_shard")) {
    return Bad(file, "is no shard, or was cut off");
  }
  Reader reader;
  if (reader.Number(json, "plimsoll_shard") != kVersion) {
    return Bad(file, "is a shard of another version of its format");
  }
  Shard shard;
  shard.plan.question = reader.Text(json, "question");
  shard.plan.points = reader.Number(json, "points");
  shard.plan.replications = reader.Number(json, "replications");
  shard.plan.classes = static_cast<std::size_t>(reader.Number(json, "classes"));
  shard.plan.gangs = static_cast<std::size_t>(reader.Number(json, "gangs"));
  const Result<ShardIndex> index = ParseShard(std::to_string(reader.Number(json, "shard")) + "/" +
                                              std::to_string(reader.Number(json, "shards")));
  if (!reader.ok()) return Bad(file, reader.wrong());
  if (!index) return Bad(file, "'shard' and 'shards' are no i of n");
  shard.index = *index;
  if (shard.plan.points < 1 || shard.plan.replications < 1 || shard.plan.points > kItemsMax ||
      shard.plan.replications > kItemsMax / shard.plan.points) {
    return Bad(file, "'points' and 'replications' are out of range");
  }
  for (const Json& one : reader.List(json, "outcomes")) {
    shard.outcomes.push_back(ReadOutcome(one, reader));
    if (reader.ok()) continue;
    return Bad(file, "run " + std::to_string(shard.outcomes.size()) + ": " + reader.wrong());
  }
  if (!reader.ok()) return Bad(file, reader.wrong());
  return shard;
}

std::string QuestionHash(const std::vector<std::pair<std::string, std::string>>& parts) {
  RowHasher hasher;
  for (const auto& [name, text] : parts) {
    hasher.Add(name);
    hasher.Add(text);
  }
  return hasher.Finish().ToHex();
}

}  // namespace plimsoll
