#include "conformance/run_cases.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "conformance/case_fields.h"

namespace plimsoll {
namespace {

constexpr const char* kIdleKey = "__idle__";
constexpr const char* kSharedKey = "__shared__";  // shared cost that nobody could take

using Totals = std::map<std::string, Money>;

Result<std::string> KeyOf(const CaseAllocation& row, const std::vector<std::string>& aggregate) {
  std::string key;
  for (const std::string& name : aggregate) {
    PLIMSOLL_TRY(const std::string value, AggregateValue(row, name));
    key += (&name == aggregate.data() ? "" : "/") + value;
  }
  return key;
}

const std::vector<CaseAllocation>& IdleOf(const CaseFile& file, const AllocationCase& one) {
  return one.idle_by_node ? file.idle_by_node : file.idle_by_cluster;
}

Result<std::vector<SharingRow>> RowsOf(const CaseFile& file, const AllocationCase& one) {
  PLIMSOLL_TRY(const FilterTree filter, ParseCaseFilter(one.filter));
  PLIMSOLL_TRY(const FilterTree share, ParseCaseFilter(one.share));
  std::vector<SharingRow> rows;
  for (const CaseAllocation& row : file.allocations) {
    PLIMSOLL_TRY(std::string key, KeyOf(row, one.aggregate));
    const bool shared = !one.share.empty() && MatchesCase(share, row);
    rows.push_back({{std::move(key)},
                    row.cluster,
                    row.node,
                    shared ? SharingRole::kShared : SharingRole::kWorkload,
                    MatchesCase(filter, row),
                    row.amounts});
  }
  for (const CaseAllocation& row : IdleOf(file, one)) {
    rows.push_back({{kIdleKey},
                    row.cluster,
                    row.node,
                    SharingRole::kIdle,
                    MatchesCase(filter, row),
                    row.amounts});
  }
  return rows;
}

// "__idle__"; split by cluster "c1/__idle__", by node "n1/__idle__", with the cluster before
// it where two clusters have a node of that name.
std::string IdleName(const IdleRow& row, const AllocationCase& one,
                     const std::vector<CaseAllocation>& idle) {
  if (!one.split_idle) return kIdleKey;
  if (!one.idle_by_node) return row.cluster + "/" + kIdleKey;
  const bool ambiguous = std::any_of(idle.begin(), idle.end(), [&](const CaseAllocation& other) {
    return other.node == row.node && other.cluster != row.cluster;
  });
  return (ambiguous ? row.cluster + "/" : "") + row.node + "/" + kIdleKey;
}

// How far the inputs of a case may be from what they were before they were printed.
Money Uncertainty(const CaseFile& file, const AllocationCase& one) {
  Money sum;
  for (const CaseAllocation& row : file.allocations) sum += row.uncertainty;
  for (const CaseAllocation& row : IdleOf(file, one)) sum += row.uncertainty;
  return sum;
}

bool Near(Money got, const ExpectedTotal& expected, Money uncertainty) {
  const Money off = std::max(got - expected.total, expected.total - got);
  return off <= expected.tolerance + uncertainty;
}

// "KEY expected X got Y" for everything that differs.
std::string Differences(const AllocationCase& one, const Totals& got, Money uncertainty) {
  std::string text;
  const auto add = [&](const std::string& key, const std::string& expected,
                       const std::string& actual) {
    text += (text.empty() ? "" : "; ") + key + " expected " + expected + " got " + actual;
  };
  Money total;
  for (const auto& [key, cost] : got) {
    total += cost;
    if (!one.expected.contains(key)) add(key, "nothing", cost.ToString());
  }
  for (const auto& [key, expected] : one.expected) {
    const auto found = got.find(key);
    if (found == got.end()) {
      add(key, expected.text, "nothing");
    } else if (!Near(found->second, expected, uncertainty)) {
      add(key, expected.text, found->second.ToString());
    }
  }
  if (one.set_total && !Near(total, *one.set_total, uncertainty)) {
    add("setTotal", one.set_total->text, total.ToString());
  }
  return text;
}

Result<CaseFile> ReadFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Error{ErrorCode::kNotFound, "cannot be opened"};
  return ReadCaseFile({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
}

bool RunCase(const CaseFile& file, const AllocationCase& one, std::ostream& out) {
  const Result<Totals> got = EvaluateCase(file, one);
  const std::string wrong =
      got ? Differences(one, *got, Uncertainty(file, one)) : got.error().message;
  if (wrong.empty()) {
    out << "PASS " << one.id << "\n";
  } else {
    out << "FAIL " << one.id << ": " << wrong << "\n";
  }
  return wrong.empty();
}

}  // namespace

Result<Totals> EvaluateCase(const CaseFile& file, const AllocationCase& one) {
  PLIMSOLL_TRY(const std::vector<SharingRow> rows, RowsOf(file, one));
  SharingPolicy policy;
  policy.idle = one.share_idle ? IdleSharing::kShare : IdleSharing::kSeparate;
  policy.idle_split = one.idle_split;
  policy.idle_by_node = one.idle_by_node;
  policy.shared_split = one.split;
  policy.overhead = one.overhead;
  PLIMSOLL_TRY(const SharingResult result, Share(rows, policy));
  Totals totals;
  for (const KeyRow& row : result.rows) totals[row.key[0]] += row.amounts.Total();
  for (const IdleRow& row : result.idle) {
    if (row.amounts.Total() == Money()) continue;
    totals[IdleName(row, one, IdleOf(file, one))] += row.amounts.Total();
  }
  if (result.unshared.Total() != Money()) totals[kSharedKey] += result.unshared.Total();
  return totals;
}

int RunCases(const std::vector<std::string>& paths, std::ostream& out, std::ostream& errors) {
  std::size_t passed = 0, failed = 0;
  bool bad = false;
  for (const std::string& path : paths) {
    const Result<CaseFile> file = ReadFile(path);
    if (!file) {
      errors << path << ": " << file.error().message << "\n";
      bad = true;
      continue;
    }
    for (const AllocationCase& one : file->cases) ++(RunCase(*file, one, out) ? passed : failed);
  }
  out << passed << " passed, " << failed << " failed\n";
  return bad ? 3 : failed > 0 ? 1 : 0;
}

}  // namespace plimsoll
