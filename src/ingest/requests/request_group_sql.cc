#include "ingest/requests/request_group_sql.h"

#include <cstdint>

namespace plimsoll {
namespace {

using F = RequestField;

constexpr const char* kUnreadableSql = "(-9223372036854775807 - 1)";
constexpr const char* kLengthMax = "1000000000000000000";
constexpr const char* kTokensMax = "1000000000";
constexpr const char* kFirstDateNs = "978307200000000000";
// Limits above it times the most tokens do not fit 64 bits.
constexpr std::int64_t kNarrowTpotNs = 9'000'000'000;

struct NumberField {
  RequestField field;
  const char* name;
};
constexpr NumberField kNumbers[] = {{F::kArrival, "arrival"},
                                    {F::kFirstToken, "first_token"},
                                    {F::kEnd, "finish"},
                                    {F::kTtft, "ttft_told"},
                                    {F::kE2e, "e2e_told"},
                                    {F::kTpot, "tpot"},
                                    {F::kPrefill, "prefill"},
                                    {F::kDecode, "decode"},
                                    {F::kInputTokens, "input_told"},
                                    {F::kUncachedTokens, "uncached"},
                                    {F::kCachedTokens, "cached"},
                                    {F::kOutputTokens, "output"},
                                    {F::kReasoningTokens, "reasoning"}};

std::string Literal(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += c;
    out += c;
  }
  return out + "'";
}

// Lengths and counts that the source does not tell but that follow from what it tells.
std::string Derived() {
  const std::string unreadable = kUnreadableSql;
  return "derived AS (SELECT *, "
         "coalesce(ttft_told, CASE WHEN first_token <> " +
         unreadable +
         " THEN first_token - arrival END) AS ttft_derived, "
         "coalesce(e2e_told, CASE WHEN finish <> " +
         unreadable +
         " THEN finish - arrival END) AS e2e, "
         "coalesce(input_told, CASE WHEN uncached >= 0 THEN uncached + coalesce(cached, 0) END) "
         "AS input FROM told), "
         // Times of a millisecond's grain may put a first token behind the last.
         "known AS (SELECT *, CASE WHEN e2e >= 0 AND ttft_derived > e2e AND "
         "ttft_derived - e2e <= 1000000 THEN e2e ELSE ttft_derived END AS ttft FROM derived) ";
}

std::string Sound() {
  std::string sql = "arrival IS NOT NULL AND arrival <> " + std::string(kUnreadableSql);
  const auto within = [&](const char* name, const char* most) {
    sql += " AND coalesce(" + std::string(name) + " BETWEEN 0 AND " + most + ", true)";
  };
  for (const char* name : {"ttft", "e2e", "tpot", "prefill", "decode"}) within(name, kLengthMax);
  for (const char* name : {"input", "cached", "output", "reasoning"}) within(name, kTokensMax);
  for (const char* rule : {"ttft <= e2e", "cached <= input", "reasoning <= output"}) {
    sql += " AND coalesce(" + std::string(rule) + ", true)";
  }
  return sql;
}

std::string Verdict(const Slo& slo) {
  std::string missed, unknown;
  const auto add = [](std::string& list, const std::string& condition) {
    list += (list.empty() ? "" : " OR ") + condition;
  };
  const auto limit = [&](const char* name, const std::optional<std::int64_t>& most) {
    if (!most) return;
    add(missed, std::string(name) + " > " + std::to_string(*most));
    add(unknown, std::string(name) + " IS NULL");
  };
  limit("ttft", slo.ttft_ns);
  limit("e2e", slo.e2e_ns);
  if (slo.tpot_ns) {
    const std::string most = std::to_string(*slo.tpot_ns);
    const std::string wide = *slo.tpot_ns > kNarrowTpotNs ? "::HUGEINT" : "";
    const std::string measured = "output IS NOT NULL AND ttft IS NOT NULL AND e2e IS NOT NULL";
    add(missed, "CASE WHEN output <= 1 THEN false WHEN " + measured + " THEN e2e - ttft > " + most +
                    wide + " * (output - 1) ELSE tpot > " + most + " END");
    add(unknown, "NOT coalesce(output <= 1, false) AND NOT (" + measured + ") AND tpot IS NULL");
  }
  if (missed.empty()) return "0";
  return "CASE WHEN " + missed + " THEN 1 WHEN " + unknown + " THEN 2 ELSE 0 END";
}

std::string VerdictOf(const std::vector<SloScope>& scopes) {
  if (scopes.size() == 1) return Verdict(scopes.front().slo);
  std::string sql = "CASE";
  for (const SloScope& scope : scopes) {
    std::string condition;
    for (const auto& [service, model] : scope.pairs) {
      condition += (condition.empty() ? "(service = " : " OR service = ") + Literal(service) +
                   " AND model = " + Literal(model);
    }
    sql += " WHEN " + condition + ") THEN " + Verdict(scope.slo);
  }
  return sql + " END";
}

}  // namespace

RequestGroupSql::RequestGroupSql(std::map<RequestField, std::string> fields, std::string service,
                                 const RequestGrouping& grouping)
    : fields_(std::move(fields)), service_(std::move(service)), grouping_(grouping) {}

std::string RequestGroupSql::Text(RequestField field) const {
  const auto found = fields_.find(field);
  return found == fields_.end() ? "''" : found->second;
}

// Every field under a name of its own.
std::string RequestGroupSql::Told() const {
  std::string service = Text(F::kService);
  if (!service_.empty()) {
    service = service == "''" ? Literal(service_)
                              : "coalesce(nullif(" + service + ", ''), " + Literal(service_) + ")";
  }
  const bool has_word = fields_.contains(F::kStatus);
  std::string sql = "WITH told AS (SELECT " + service + " AS service, " + Text(F::kModel) +
                    " AS model, " + Text(F::kVersion) + " AS version, " + Text(F::kQuantization) +
                    " AS quantization, " + Text(F::kTenant) + " AS tenant, " + Text(F::kPriority) +
                    " AS priority, " + Text(F::kRequest) + " AS request, " +
                    Text(has_word ? F::kStatus : F::kHttpCode) + " AS status, " + Text(F::kError) +
                    " AS error";
  for (const NumberField& number : kNumbers) {
    const auto found = fields_.find(number.field);
    sql += ", " + (found == fields_.end() ? "CAST(NULL AS BIGINT)" : found->second) + " AS " +
           number.name;
  }
  return sql;
}

ParquetQuery RequestGroupSql::Query(const std::string& path, const std::string& select) const {
  return {path, Told(), "), " + Derived() + select};
}

std::string RequestGroupSql::Bucket(const std::string& tokens) const {
  std::string sql =
      "CASE WHEN " + tokens + " IS NULL THEN " + std::to_string(grouping_.length_edges.size());
  for (std::size_t i = 1; i < grouping_.length_edges.size(); ++i) {
    sql += " WHEN " + tokens + " < " + std::to_string(grouping_.length_edges[i]) + " THEN " +
           std::to_string(i - 1);
  }
  return sql + " ELSE " + std::to_string(grouping_.length_edges.size() - 1) + " END";
}

std::string RequestGroupSql::Inside() const {
  if (!grouping_.window) return "true";
  const auto ns = [](Instant at) { return std::to_string(at.base()) + " * 1000000"; };
  return "arrival >= " + ns(grouping_.window->begin) + " AND arrival < " +
         ns(grouping_.window->until);
}

ParquetQuery RequestGroupSql::Pairs(const std::string& path) const {
  return Query(path, "SELECT DISTINCT service, model FROM known");
}

ParquetQuery RequestGroupSql::Groups(const std::string& path,
                                     const std::vector<SloScope>& scopes) const {
  std::string select, keys;
  int column = 0;
  // What is the same in every row need not be hashed for every row.
  const auto add = [&](bool is_key, const std::string& sql, const char* otherwise) {
    select += (column++ == 0 ? "" : ", ") + (is_key ? sql : std::string(otherwise));
    if (is_key) keys += (keys.empty() ? "" : ", ") + std::to_string(column);
  };
  const auto text = [&](bool wanted, RequestField field, const char* name) {
    add(wanted && fields_.contains(field), name, "''");
  };
  add(has_services(), "service", Literal(service_).c_str());
  text(grouping_.model, F::kModel, "model");
  text(grouping_.version, F::kVersion, "version");
  text(grouping_.quantization, F::kQuantization, "quantization");
  text(grouping_.tenant, F::kTenant, "tenant");
  text(grouping_.priority, F::kPriority, "priority");
  add(fields_.contains(F::kStatus) || fields_.contains(F::kHttpCode), "status", "''");
  text(true, F::kError, "error");
  add(true, "(" + VerdictOf(scopes) + ")::BIGINT", "");
  add(grouping_.window.has_value(), "(" + Inside() + ")::BIGINT", "1::BIGINT");
  add(grouping_.input, Bucket("input") + "::BIGINT", "0::BIGINT");
  add(grouping_.output, Bucket("output") + "::BIGINT", "0::BIGINT");
  add(grouping_.cache,
      "(CASE WHEN cached IS NULL THEN 2 WHEN cached > 0 THEN 1 ELSE 0 END)::BIGINT", "0::BIGINT");
  select += ", count(*), count(*) FILTER (arrival < " + std::string(kFirstDateNs) + ")";
  for (const char* tokens : {"input", "cached", "output", "reasoning"}) {
    select += ", coalesce(sum(" + std::string(tokens) + "), 0)::BIGINT";
  }
  // A sum is null if a part of it is; that costs less than asking for either.
  select +=
      ", count(*) - count(input + output), count(*) - count(prefill + decode)"
      ", coalesce(sum(prefill), 0)::HUGEINT, coalesce(sum(decode), 0)::HUGEINT, bool_and(" +
      Sound() + ")::BIGINT";
  return Query(path, "SELECT " + select + " FROM known GROUP BY " + keys);
}

ParquetQuery RequestGroupSql::Spans(const std::string& path) const {
  std::string sql = "SELECT arrival, arrival + coalesce(e2e, 0)";
  if (has_services()) sql += ", service";
  if (has_models()) sql += ", model";
  // One bit fewer than the hash has, for want of an unsigned column.
  if (has_ids()) {
    sql += ", CASE WHEN request = '' THEN 0 ELSE greatest((hash(request) >> 1)::BIGINT, 1) END";
  }
  return Query(path, sql + " FROM known WHERE " + Inside());
}

}  // namespace plimsoll
