#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

#include "ingest/prices/price_formats.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

constexpr const char* kList = "SpotPriceHistory";

// One change of price, as written.
struct Change {
  std::string zone, type, price, time;
  Instant at;
  std::size_t index = 0;

  auto Key() const { return std::tie(zone, type); }
};

class SpotHistoryReader {
 public:
  SpotHistoryReader(const std::string& file, const PriceDefaults& defaults)
      : file_(file), defaults_(defaults) {
    defaults_.provider = "aws";
    defaults_.currency = "USD";
    defaults_.rung = kRungSpotHistory;
  }

  ForeignPrices Read(std::string_view text) {
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object() || !document.contains(kList) ||
        !document.at(kList).is_array()) {
      Reject("", "is not the JSON of `aws ec2 describe-spot-price-history`", Json());
      return std::move(result_);
    }
    const auto token = document.find("NextToken");
    if (token != document.end() && token->is_string() &&
        !token->get_ref<const std::string&>().empty()) {
      result_.warnings.push_back(
          fmt::format("{}: has a NextToken, so the history goes on in another page", file_));
    }
    std::size_t index = 0;
    for (const Json& entry : document.at(kList)) ReadEntry(entry, index++);
    AppendPrices();
    return std::move(result_);
  }

 private:
  void Reject(const std::string& field, std::string reason, const Json& entry) {
    const std::string raw =
        entry.is_null() ? "" : entry.dump(-1, ' ', false, Json::error_handler_t::replace);
    result_.file.rejections.push_back({file_, 0, field, std::move(reason), "", raw});
  }

  void ReadEntry(const Json& entry, std::size_t index) {
    const std::string path = fmt::format("{}[{}]", kList, index);
    if (!entry.is_object()) return Reject(path, "must be an object", entry);
    Change change;
    change.index = index;
    std::string product;
    const std::pair<const char*, std::string*> fields[] = {{"AvailabilityZone", &change.zone},
                                                           {"InstanceType", &change.type},
                                                           {"ProductDescription", &product},
                                                           {"SpotPrice", &change.price},
                                                           {"Timestamp", &change.time}};
    for (const auto& [name, value] : fields) {
      const auto found = entry.find(name);
      if (found == entry.end() || !found->is_string()) {
        return Reject(path + "." + name, "is missing, or no text", entry);
      }
      *value = found->get<std::string>();
    }
    if (product != "Linux/UNIX" && product != "Linux/UNIX (Amazon VPC)") {
      return Reject(path + ".ProductDescription",
                    fmt::format("'{}' is not used: nodes are priced as Linux/UNIX", product),
                    entry);
    }
    const Result<Instant> at = ParseInstant(change.time);
    if (!at) return Reject(path + ".Timestamp", at.error().message, entry);
    change.at = *at;
    changes_.push_back(std::move(change));
  }

  // A zone's prices follow each other in time; of two at one time the later written is void
  // if it says the same, and refused later as a contradiction if it does not.
  void AppendPrices() {
    std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
      return std::tie(a.zone, a.type, a.at, a.price) < std::tie(b.zone, b.type, b.at, b.price);
    });
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      const Change& change = changes_[i];
      std::size_t next = i + 1;
      while (next < changes_.size() && changes_[next].Key() == change.Key() &&
             changes_[next].at == change.at) {
        ++next;
      }
      const bool ends = next < changes_.size() && changes_[next].Key() == change.Key();
      const std::string until = ends ? ToString(changes_[next].at) : "";
      const std::string from = ToString(change.at);
      const std::string day = ToDateString(change.at);
      PriceText text;
      text.region = change.zone;
      text.instance_type = change.type;
      text.purchase = "spot";
      text.amount = change.price;
      text.valid_from = from;
      text.valid_until = until;
      text.as_of = day;
      Append(text, change);
    }
  }

  void Append(const PriceText& text, const Change& change) {
    const std::vector<FieldProblem> problems = AppendPrice(text, defaults_, result_.file.prices);
    if (problems.empty()) return result_.file.lines.push_back(0);
    const std::string path = fmt::format("{}[{}]", kList, change.index);
    for (const FieldProblem& problem : problems) {
      Reject(path, problem.field + ": " + problem.reason, Json(change.price));
    }
  }

  const std::string& file_;
  PriceDefaults defaults_;
  std::vector<Change> changes_;
  ForeignPrices result_;
};

}  // namespace

ForeignPrices ReadAwsSpotHistory(const std::string& file, std::string_view text,
                                 const PriceDefaults& defaults) {
  return SpotHistoryReader(file, defaults).Read(text);
}

}  // namespace plimsoll
