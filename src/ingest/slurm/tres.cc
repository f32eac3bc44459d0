#include "ingest/slurm/tres.h"

#include <charconv>
#include <map>

namespace plimsoll {
namespace {

constexpr std::int64_t kCountMax = 1'000'000'000'000;

Error BadValue(std::string_view key, std::string_view value) {
  return Error{ErrorCode::kBadData, std::string(key) + "=" + std::string(value.substr(0, 40)) +
                                        ": not a count; expected a whole number"};
}

Result<std::int64_t> ParseCount(std::string_view key, std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0 || count > kCountMax) {
    return BadValue(key, text);
  }
  return count;
}

std::string_view TakeUntil(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

void SumTyped(Tres& tres, std::optional<std::int64_t> generic) {
  std::int64_t sum = 0;
  for (const auto& [type, count] : tres.typed) sum += count;
  tres.gpus = generic.value_or(sum);
}

// Where in `type` a MIG profile begins: at its start or after a separator; npos if nowhere.
std::size_t MigProfileAt(std::string_view type) {
  for (std::size_t at = 0; at < type.size(); ++at) {
    if (at != 0 && type[at - 1] != '_' && type[at - 1] != '-') continue;
    if (MigUnitOf(type.substr(at))) return at;
  }
  return std::string_view::npos;
}

DeviceUnit UnitOfType(std::string_view type) {
  const std::size_t at = MigProfileAt(type);
  if (at == std::string_view::npos) return {"gpu", 1, 1};
  return *MigUnitOf(type.substr(at));
}

// Splits at commas outside parentheses: "gpu:a100:4(S:0,1),shard:8".
std::vector<std::string_view> SplitGres(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '(') ++depth;
    if (at < text.size() && text[at] == ')') --depth;
    if (at < text.size() && (text[at] != ',' || depth > 0)) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return parts;
}

}  // namespace

Result<std::int64_t> ParseSlurmMemory(std::string_view text) {
  const Error bad{ErrorCode::kBadData,
                  "'" + std::string(text.substr(0, 40)) + "' is not a memory size such as 500G"};
  std::string_view digits = text;
  int shift = 20;
  if (!digits.empty() && (digits.back() < '0' || digits.back() > '9')) {
    const std::size_t unit = std::string_view("KMGTPE").find(digits.back());
    if (unit == std::string_view::npos) return bad;
    shift = 10 * (static_cast<int>(unit) + 1);
    digits.remove_suffix(1);
  }
  if (digits.empty() || digits.front() == '.') return bad;
  int128 scaled = 0;
  int128 scale = 0;  // 0 before the point
  for (const char c : digits) {
    if (c == '.' && scale == 0) {
      scale = 1;
      continue;
    }
    if (c < '0' || c > '9' || scaled > kCountMax || scale > kCountMax) return bad;
    scaled = scaled * 10 + (c - '0');
    scale *= 10;
  }
  const int128 bytes = (scaled << shift) / (scale == 0 ? 1 : scale);
  if (bytes > INT64_MAX) return bad;
  return static_cast<std::int64_t>(bytes);
}

Result<Tres> ParseTres(std::string_view text) {
  Tres tres;
  std::optional<std::int64_t> generic;
  while (!text.empty()) {
    std::string_view value = TakeUntil(text, ',');
    const std::string_view key = TakeUntil(value, '=');
    if (key == "gres/gpu") {
      PLIMSOLL_TRY(generic, ParseCount(key, value));
    } else if (key.starts_with("gres/gpu:")) {
      PLIMSOLL_TRY(const std::int64_t count, ParseCount(key, value));
      tres.typed.emplace_back(key.substr(9), count);
    } else if (key == "cpu") {
      PLIMSOLL_TRY(tres.cpus, ParseCount(key, value));
    } else if (key == "node") {
      PLIMSOLL_TRY(tres.nodes, ParseCount(key, value));
    } else if (key == "mem") {
      PLIMSOLL_TRY(tres.memory_bytes, ParseSlurmMemory(value));
    }
  }
  SumTyped(tres, generic);
  return tres;
}

Result<Tres> ParseGres(std::string_view text) {
  Tres tres;
  std::optional<std::int64_t> generic;
  for (std::string_view part : SplitGres(text)) {
    part = part.substr(0, part.find('('));
    if (TakeUntil(part, ':') != "gpu" || part.empty()) continue;
    const std::size_t colon = part.rfind(':');
    const std::string_view count_text =
        colon == std::string_view::npos ? part : part.substr(colon + 1);
    PLIMSOLL_TRY(const std::int64_t count, ParseCount("gpu", count_text));
    if (colon == std::string_view::npos) {
      generic = generic.value_or(0) + count;
    } else {
      tres.typed.emplace_back(part.substr(0, colon), count);
    }
  }
  SumTyped(tres, std::nullopt);
  tres.gpus += generic.value_or(0);  // here untyped entries are further GPUs, not a total
  return tres;
}

std::vector<DeviceCount> DevicesOf(const Tres& tres) {
  std::map<std::string, DeviceCount> by_kind;
  std::int64_t typed = 0;
  for (const auto& [type, count] : tres.typed) {
    const DeviceUnit unit = UnitOfType(type);
    DeviceCount& devices = by_kind[unit.kind];
    devices.unit = unit;
    devices.count += count;
    typed += count;
  }
  if (by_kind.empty() || typed != tres.gpus) return {{{"gpu", 1, 1}, tres.gpus}};
  std::vector<DeviceCount> devices;
  for (auto& [kind, of_kind] : by_kind) devices.push_back(std::move(of_kind));
  return devices;
}

std::int64_t CardsOf(const Tres& tres) {
  std::int64_t cards = 0;
  std::int64_t sevenths = 0;
  std::int64_t quarters = 0;
  for (const DeviceCount& devices : DevicesOf(tres)) {
    if (devices.unit.share_den == 1) {
      cards += devices.count;
    } else {
      (devices.unit.share_den == 4 ? quarters : sevenths) += devices.count * devices.unit.share_num;
    }
  }
  return cards + (sevenths + 6) / 7 + (quarters + 3) / 4;
}

std::string GpuTypeOf(const Tres& tres) {
  if (tres.typed.empty()) return "";
  const std::string& type = tres.typed.front().first;
  const std::size_t at = MigProfileAt(type);
  if (at == std::string::npos) return type;
  return type.substr(0, at == 0 ? 0 : at - 1);
}

}  // namespace plimsoll
