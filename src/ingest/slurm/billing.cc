#include "ingest/slurm/billing.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "ingest/slurm/tres.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

struct Weight {
  std::string name;       // lower case
  int128 weight = 0;      // in billionths, for one `unit`
  std::int64_t unit = 1;  // bytes of memory, or 1
};

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::string_view TakeUntil(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

bool IsMemory(std::string_view name) { return name == "mem" || name.starts_with("bb/"); }
bool IsGlobal(std::string_view name) {
  return name.starts_with("license/") || name.starts_with("bb/");
}

Error Bad(std::string_view entry) {
  return {ErrorCode::kBadData, "TRESBillingWeights: '" + std::string(entry.substr(0, 60)) +
                                   "' is not a weight such as Mem=0.25G"};
}

Result<Weight> ParseWeight(std::string_view entry) {
  std::string_view value = entry;
  Weight weight;
  weight.name = Lower(TakeUntil(value, '='));
  if (weight.name.empty() || value.empty()) return Bad(entry);
  weight.unit = IsMemory(weight.name) ? std::int64_t{1} << 20 : 1;
  const std::size_t suffix = std::string_view("KMGTP").find(value.back());
  if (suffix != std::string_view::npos) {
    if (!IsMemory(weight.name)) return Bad(entry);
    weight.unit = std::int64_t{1} << (10 * (suffix + 1));
    value.remove_suffix(1);
  }
  const auto parsed = ExactDecimal::Parse(value);
  if (!parsed) return Bad(entry);
  weight.weight = parsed->floor().nanos();
  if (weight.weight < 0 || weight.weight > int128{1'000'000'000} * 1'000'000'000) return Bad(entry);
  return weight;
}

Result<std::vector<Weight>> ParseWeights(std::string_view text) {
  std::vector<Weight> weights;
  while (!text.empty()) {
    const std::string_view entry = TakeUntil(text, ',');
    if (entry.empty()) continue;
    PLIMSOLL_TRY(Weight weight, ParseWeight(entry));
    weights.push_back(std::move(weight));
  }
  return weights;
}

// The amount in bytes or pieces.
Result<std::int64_t> AmountOf(std::string_view name, std::string_view text) {
  if (IsMemory(name)) return ParseSlurmMemory(text);
  const auto parsed = ExactDecimal::Parse(text);
  const int128 whole = parsed ? parsed->floor().nanos() / 1'000'000'000 : -1;
  if (whole < 0 || whole > 1'000'000'000'000) {
    return Error{ErrorCode::kBadData,
                 std::string(name) + "=" + std::string(text.substr(0, 40)) + ": not a count"};
  }
  return static_cast<std::int64_t>(whole);
}

}  // namespace

BillingRule BillingRuleOf(std::string_view priority_flags) {
  BillingRule rule = BillingRule::kSum;
  while (!priority_flags.empty()) {
    const std::string flag = Lower(TakeUntil(priority_flags, ','));
    if (flag == "max_tres_gres") return BillingRule::kMaxTresGres;
    if (flag == "max_tres") rule = BillingRule::kMaxTres;
  }
  return rule;
}

Result<std::int64_t> BillingOf(std::string_view tres, std::string_view weights, BillingRule rule) {
  PLIMSOLL_TRY(const std::vector<Weight> by_name, ParseWeights(weights));
  int128 added = 0;
  int128 greatest = 0;
  while (!tres.empty()) {
    std::string_view value = TakeUntil(tres, ',');
    const std::string name = Lower(TakeUntil(value, '='));
    const auto weight = std::find_if(by_name.begin(), by_name.end(),
                                     [&](const Weight& entry) { return entry.name == name; });
    // Billing is the result, so that a weight of its own is ignored.
    if (weight == by_name.end() || name == "billing") continue;
    PLIMSOLL_TRY(const std::int64_t amount, AmountOf(name, value));
    const int128 nanos = weight->weight * amount / weight->unit;
    const bool is_gres = name.starts_with("gres/");
    if (rule == BillingRule::kSum || IsGlobal(name) ||
        (rule == BillingRule::kMaxTresGres && is_gres)) {
      added += nanos;
    } else {
      greatest = std::max(greatest, nanos);
    }
  }
  const int128 billing = (added + greatest) / 1'000'000'000;
  if (billing > INT64_MAX) {
    return Error{ErrorCode::kOutOfRange, "the billing of these resources is too large"};
  }
  return static_cast<std::int64_t>(billing);
}

Result<bool> GpusWeighNothing(std::string_view weights) {
  PLIMSOLL_TRY(const std::vector<Weight> by_name, ParseWeights(weights));
  return std::none_of(by_name.begin(), by_name.end(), [](const Weight& entry) {
    const bool is_gpu = entry.name == "gres/gpu" || entry.name.starts_with("gres/gpu:");
    return is_gpu && entry.weight > 0;
  });
}

Result<PartitionNote> NoteOfPartition(const std::map<std::string, std::string>& record) {
  std::map<std::string, std::string> fields;  // slurm.conf's keys have any case
  for (const auto& [key, value] : record) fields.emplace(Lower(key), value);
  std::string weights = fields["tresbillingweights"];
  weights.erase(std::remove(weights.begin(), weights.end(), '"'), weights.end());
  if (weights == "(null)") weights.clear();
  const std::string name = "partition " + fields["partitionname"];
  PartitionNote note;
  PLIMSOLL_TRY(const bool gpus_weigh_nothing, GpusWeighNothing(weights));
  const bool has_gpus = fields["tres"].find("gres/gpu") != std::string::npos;
  if (weights.empty()) {
    note.note = name + ": no TRESBillingWeights, so that billing counts CPUs";
    if (!has_gpus) return note;
  } else {
    note.note = name + ": TRESBillingWeights=" + weights + " (shown only; nothing is priced by it)";
  }
  if (gpus_weigh_nothing) {
    note.warning = name +
                   ": gres/gpu weighs nothing in TRESBillingWeights, so Slurm's billing figures "
                   "say nothing of GPUs and are no basis for a price";
  }
  return note;
}

}  // namespace plimsoll
