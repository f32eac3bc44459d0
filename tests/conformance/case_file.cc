#include "conformance/case_file.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "units/decimal.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

Error Bad(const std::string& where, const std::string& what) {
  return {ErrorCode::kBadData, where + ": " + what};
}

// Builds a document in which every number is its text, as {"": "1.50"}: a number that went
// through a double would have lost how it was printed.
class NumbersAsText : public nlohmann::json_sax<Json> {
 public:
  Json root;
  std::string error;

  bool null() override { return Put(nullptr); }
  bool boolean(bool value) override { return Put(value); }
  bool number_integer(number_integer_t value) override { return Number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return Number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return Number(text); }
  bool string(string_t& value) override { return Put(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return Open(Json::object()); }
  bool key(string_t& name) override {
    name_ = name;
    return true;
  }
  bool end_object() override { return Close(); }
  bool start_array(std::size_t) override { return Open(Json::array()); }
  bool end_array() override { return Close(); }
  bool parse_error(std::size_t at, const std::string&, const Json::exception&) override {
    error = "no JSON at byte " + std::to_string(at);
    return false;
  }

 private:
  Json* Place(Json value) {
    if (open_.empty()) return &(root = std::move(value));
    Json& parent = *open_.back();
    if (parent.is_array()) return &parent.emplace_back(std::move(value));
    return &(parent[name_] = std::move(value));
  }
  bool Put(Json value) {
    Place(std::move(value));
    return true;
  }
  bool Number(const std::string& text) { return Put(Json{{"", text}}); }
  bool Open(Json value) {
    if (open_.size() > 16) {
      error = "nested deeper than the form";
      return false;
    }
    open_.push_back(Place(std::move(value)));
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;  // an array's elements move when it grows, but only the last is open
  std::string name_;
};

bool IsNumber(const Json& value) {
  return value.is_object() && value.size() == 1 && value.contains("") && value[""].is_string();
}

// Decimals of "12.50": 2.
int PrintedDecimals(const std::string& text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos) return 0;
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  return static_cast<int>(end - point - 1);
}

// 0.5 x 10^-decimals.
Money HalfUnit(int decimals) {
  std::int64_t nanos = Money::kNanosPerUnit / 2;
  for (int i = 0; i < decimals; ++i) nanos /= 10;
  return Money::FromNanos(nanos);
}

Result<Money> ReadMoney(const Json& value, const std::string& where) {
  if (!IsNumber(value)) return Bad(where, "must be a number");
  const Result<ExactDecimal> read = ExactDecimal::Parse(value.at("").get<std::string>());
  if (!read) return Bad(where, read.error().message);
  return read->RoundHalfEven();
}

// A total may be off by half a unit of its last digit; whole numbers are taken for exact to
// four decimals, as half a dollar would let a wrong answer pass.
Result<ExpectedTotal> ReadTotal(const Json& value, const std::string& where) {
  ExpectedTotal total;
  PLIMSOLL_TRY(total.total, ReadMoney(value, where));
  total.text = value.at("").get<std::string>();
  const int decimals = PrintedDecimals(total.text);
  const bool whole = total.total.nanos() % Money::kNanosPerUnit == 0;
  total.tolerance = HalfUnit(whole ? std::max(decimals, 4) : decimals);
  return total;
}

Status ReadText(const Json& row, const char* name, std::string& text, const std::string& where) {
  if (!row.contains(name)) return Ok();
  if (!row[name].is_string()) return Bad(where + "." + name, "must be a text");
  text = row[name].get<std::string>();
  return Ok();
}

Status ReadFlag(const Json& row, const char* name, bool& flag, const std::string& where) {
  if (!row.contains(name)) return Ok();
  if (!row[name].is_boolean()) return Bad(where + "." + name, "must be true or false");
  flag = row[name].get<bool>();
  return Ok();
}

Status ReadTexts(const Json& row, const char* name, std::vector<std::string>& texts,
                 const std::string& where) {
  if (!row.contains(name)) return Ok();
  if (!row[name].is_array()) return Bad(where + "." + name, "must be a list of texts");
  for (const Json& text : row[name]) {
    if (!text.is_string()) return Bad(where + "." + name, "must be a list of texts");
    texts.push_back(text.get<std::string>());
  }
  return Ok();
}

Status ReadMap(const Json& row, const char* name, std::map<std::string, std::string>& map,
               const std::string& where) {
  if (!row.contains(name)) return Ok();
  if (!row[name].is_object()) return Bad(where + "." + name, "must be an object of texts");
  for (const auto& [key, value] : row[name].items()) {
    if (!value.is_string()) return Bad(where + "." + name + "." + key, "must be a text");
    map[key] = value.get<std::string>();
  }
  return Ok();
}

struct CostField {
  const char* name;
  SharingKind kind;
};
constexpr CostField kCostFields[] = {
    {"cpuCost", SharingKind::kCpu},         {"ramCost", SharingKind::kMemory},
    {"gpuCost", SharingKind::kGpu},         {"pvCost", SharingKind::kStorage},
    {"networkCost", SharingKind::kNetwork}, {"loadBalancerCost", SharingKind::kNetwork},
    {"sharedCost", SharingKind::kShared},
};

Status ReadCosts(const Json& row, CaseAllocation& out, const std::string& where) {
  for (const auto& [name, value] : row.items()) {
    if (!name.ends_with("Cost")) continue;
    const auto* const field = std::find_if(std::begin(kCostFields), std::end(kCostFields),
                                           [&](const CostField& one) { return one.name == name; });
    if (field == std::end(kCostFields)) return Bad(where + "." + name, "is no cost of the form");
    PLIMSOLL_TRY(const Money cost, ReadMoney(value, where + "." + name));
    out.amounts.of(field->kind) += cost;
    const int decimals = PrintedDecimals(value.at("").get<std::string>());
    if (decimals >= 6) out.uncertainty += HalfUnit(decimals);
  }
  return Ok();
}

Result<CaseAllocation> ReadAllocation(const Json& row, const std::string& where) {
  CaseAllocation out;
  if (!row.is_object() || IsNumber(row)) return Bad(where, "must be an object");
  const std::pair<const char*, std::string*> texts[] = {{"cluster", &out.cluster},
                                                        {"node", &out.node},
                                                        {"providerID", &out.provider_id},
                                                        {"namespace", &out.ns},
                                                        {"pod", &out.pod},
                                                        {"container", &out.container},
                                                        {"controller", &out.controller},
                                                        {"controllerKind", &out.controller_kind}};
  for (const auto& [name, text] : texts) {
    PLIMSOLL_RETURN_IF_ERROR(ReadText(row, name, *text, where));
  }
  PLIMSOLL_RETURN_IF_ERROR(ReadTexts(row, "services", out.services, where));
  PLIMSOLL_RETURN_IF_ERROR(ReadMap(row, "labels", out.labels, where));
  PLIMSOLL_RETURN_IF_ERROR(ReadMap(row, "annotations", out.annotations, where));
  PLIMSOLL_RETURN_IF_ERROR(ReadCosts(row, out, where));
  if (out.cluster.empty()) return Bad(where, "no cluster");
  return out;
}

Status ReadAllocations(const Json& file, const char* name, bool required,
                       std::vector<CaseAllocation>& out) {
  if (!file.contains(name)) return required ? Status(Bad(name, "is missing")) : Ok();
  if (!file[name].is_array()) return Bad(name, "must be a list");
  for (const Json& row : file[name]) {
    PLIMSOLL_TRY(CaseAllocation one,
                 ReadAllocation(row, std::string(name) + "[" + std::to_string(out.size()) + "]"));
    out.push_back(std::move(one));
  }
  return Ok();
}

Status ReadSplit(const Json& row, const char* name, SharingSplit& split, const std::string& where) {
  std::string text;
  PLIMSOLL_RETURN_IF_ERROR(ReadText(row, name, text, where));
  if (text == "even") split = SharingSplit::kEven;
  if (text.empty() || text == "even" || text == "weighted") return Ok();
  return Bad(where + "." + name, "must be \"even\" or \"weighted\", is \"" + text + "\"");
}

Status ReadIdle(const Json& row, AllocationCase& out, const std::string& where) {
  PLIMSOLL_RETURN_IF_ERROR(ReadFlag(row, "splitIdle", out.split_idle, where));
  PLIMSOLL_RETURN_IF_ERROR(ReadFlag(row, "idleByNode", out.idle_by_node, where));
  if (!row.contains("shareIdle") || !row["shareIdle"].is_string()) {
    return ReadFlag(row, "shareIdle", out.share_idle, where);
  }
  out.share_idle = row["shareIdle"] != "none" && row["shareIdle"] != "";
  return out.share_idle ? ReadSplit(row, "shareIdle", out.idle_split, where) : Ok();
}

// `correctExpected` is there where what the file's source accepts is known to be wrong.
Status ReadExpected(const Json& row, AllocationCase& out, const std::string& where) {
  const bool corrected = row.contains("correctExpected");
  const char* const name = corrected ? "correctExpected" : "expectedTotalCost";
  if (!row.contains(name)) return Bad(where, "no expectedTotalCost");
  if (!row[name].is_object() || IsNumber(row[name])) {
    return Bad(where + "." + name, "must be an object of numbers");
  }
  for (const auto& [key, value] : row[name].items()) {
    PLIMSOLL_TRY(out.expected[key], ReadTotal(value, where + "." + name + "." + key));
  }
  if (corrected || !row.contains("setTotal")) return Ok();
  PLIMSOLL_TRY(out.set_total, ReadTotal(row["setTotal"], where + ".setTotal"));
  return Ok();
}

Result<AllocationCase> ReadCase(const Json& row, Money window_hours, const std::string& where) {
  AllocationCase out;
  if (!row.is_object() || IsNumber(row)) return Bad(where, "must be an object");
  PLIMSOLL_RETURN_IF_ERROR(ReadText(row, "id", out.id, where));
  if (out.id.empty()) return Bad(where, "no id");
  const std::string named = where + " (" + out.id + ")";
  if (!row.contains("aggregate")) return Bad(named, "no aggregate");
  PLIMSOLL_RETURN_IF_ERROR(ReadTexts(row, "aggregate", out.aggregate, named));
  PLIMSOLL_RETURN_IF_ERROR(ReadText(row, "filter", out.filter, named));
  PLIMSOLL_RETURN_IF_ERROR(ReadText(row, "share", out.share, named));
  PLIMSOLL_RETURN_IF_ERROR(ReadSplit(row, "split", out.split, named));
  PLIMSOLL_RETURN_IF_ERROR(ReadIdle(row, out, named));
  PLIMSOLL_RETURN_IF_ERROR(ReadExpected(row, out, named));
  if (row.contains("sharedHourlyCost")) {
    PLIMSOLL_TRY(const Money hourly, ReadMoney(row["sharedHourlyCost"], named));
    int128 product = 0;
    if (__builtin_mul_overflow(hourly.nanos(), window_hours.nanos(), &product)) {
      return Bad(named + ".sharedHourlyCost", "is too large");
    }
    out.overhead = Money::FromNanos(DivideHalfEven(product, Money::kNanosPerUnit));
  }
  return out;
}

}  // namespace

Result<CaseFile> ReadCaseFile(const std::string& text) {
  NumbersAsText reader;
  if (!Json::sax_parse(text, &reader)) {
    return Error{ErrorCode::kBadData, reader.error.empty() ? "no JSON" : reader.error};
  }
  const Json& file = reader.root;
  if (!file.is_object() || IsNumber(file)) return Error{ErrorCode::kBadData, "must be an object"};
  CaseFile out;
  PLIMSOLL_RETURN_IF_ERROR(ReadAllocations(file, "allocations", true, out.allocations));
  PLIMSOLL_RETURN_IF_ERROR(ReadAllocations(file, "idle_by_cluster", false, out.idle_by_cluster));
  PLIMSOLL_RETURN_IF_ERROR(ReadAllocations(file, "idle_by_node", false, out.idle_by_node));
  if (!file.contains("cases")) return Bad("cases", "is missing");
  if (!file["cases"].is_array()) return Bad("cases", "must be a list");
  Money window_hours;  // a plain number; Money is an exact decimal too
  if (file.contains("window_hours")) {
    PLIMSOLL_TRY(window_hours, ReadMoney(file["window_hours"], "window_hours"));
  }
  for (const Json& row : file["cases"]) {
    const std::string where = "cases[" + std::to_string(out.cases.size()) + "]";
    PLIMSOLL_TRY(AllocationCase one, ReadCase(row, window_hours, where));
    if (one.overhead == Money() && row.contains("sharedHourlyCost") &&
        !file.contains("window_hours")) {
      return Bad(where, "sharedHourlyCost needs window_hours");
    }
    if (one.idle_by_node && !file.contains("idle_by_node")) {
      return Bad(where, "idleByNode needs idle_by_node");
    }
    out.cases.push_back(std::move(one));
  }
  return out;
}

}  // namespace plimsoll
