#include "ingest/slurm/host_list.h"

#include <algorithm>
#include <charconv>

namespace plimsoll {
namespace {

Error Bad(std::string_view text, const std::string& why) {
  return Error{ErrorCode::kBadData, "node list '" + std::string(text.substr(0, 80)) + "': " + why};
}

bool ParseNumber(std::string_view digits, std::int64_t* value) {
  if (digits.empty() || digits.size() > 9) return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *value);
  return error == std::errc() && end == digits.data() + digits.size() && *value >= 0;
}

// "01-04,07" as "01" "02" "03" "04" "07".
Result<std::vector<std::string>> ExpandRanges(std::string_view ranges) {
  std::vector<std::string> numbers;
  for (std::size_t begin = 0; begin <= ranges.size();) {
    const std::size_t comma = std::min(ranges.find(',', begin), ranges.size());
    const std::string_view range = ranges.substr(begin, comma - begin);
    const std::size_t dash = std::min(range.find('-'), range.size());
    const std::string_view first = range.substr(0, dash);
    const std::string_view last = dash == range.size() ? first : range.substr(dash + 1);
    std::int64_t low = 0;
    std::int64_t high = 0;
    if (!ParseNumber(first, &low) || !ParseNumber(last, &high) || high < low) {
      return Bad(ranges, "'" + std::string(range) + "' is not a range such as 01-04");
    }
    if (static_cast<std::size_t>(high - low) + numbers.size() >= kHostsMax) {
      return Bad(ranges, "more than " + std::to_string(kHostsMax) + " nodes");
    }
    for (std::int64_t n = low; n <= high; ++n) {
      std::string digits = std::to_string(n);
      if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
      numbers.push_back(std::move(digits));
    }
    begin = comma + 1;
  }
  return numbers;
}

// Every name of `heads` with every one of `tails` appended.
Result<std::vector<std::string>> Multiply(const std::vector<std::string>& heads,
                                          const std::vector<std::string>& tails) {
  if (heads.size() * tails.size() > kHostsMax) {
    return Bad(heads.front(), "more than " + std::to_string(kHostsMax) + " nodes");
  }
  std::vector<std::string> names;
  names.reserve(heads.size() * tails.size());
  for (const std::string& head : heads) {
    for (const std::string& tail : tails) names.push_back(head + tail);
  }
  return names;
}

// One item without commas outside brackets.
Result<std::vector<std::string>> ExpandItem(std::string_view item) {
  std::vector<std::string> names = {""};
  while (!item.empty()) {
    const std::size_t open = std::min(item.find('['), item.size());
    PLIMSOLL_TRY(names, Multiply(names, {std::string(item.substr(0, open))}));
    if (open == item.size()) break;
    const std::size_t close = item.find(']', open);
    if (close == std::string_view::npos) return Bad(item, "'[' is not closed");
    PLIMSOLL_TRY(const std::vector<std::string> numbers,
                 ExpandRanges(item.substr(open + 1, close - open - 1)));
    PLIMSOLL_TRY(names, Multiply(names, numbers));
    item = item.substr(close + 1);
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> ExpandHostList(std::string_view text) {
  std::vector<std::string> hosts;
  if (text.empty() || text == "None assigned" || text == "(null)" || text == "None") return hosts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '[') ++depth;
    if (at < text.size() && text[at] == ']') --depth;
    if (depth < 0 || depth > 1) return Bad(text, "brackets do not match");
    if (at < text.size() && (text[at] != ',' || depth > 0)) continue;
    if (at == begin) return Bad(text, "an empty name");
    PLIMSOLL_TRY(const std::vector<std::string> names, ExpandItem(text.substr(begin, at - begin)));
    if (hosts.size() + names.size() > kHostsMax) {
      return Bad(text, "more than " + std::to_string(kHostsMax) + " nodes");
    }
    hosts.insert(hosts.end(), names.begin(), names.end());
    begin = at + 1;
  }
  return hosts;
}

}  // namespace plimsoll
