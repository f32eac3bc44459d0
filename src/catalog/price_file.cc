#include "catalog/price_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "catalog/csv.h"
#include "catalog/on_prem.h"
#include "catalog/provider.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 6> kPurchases{"on-demand",   "spot",        "reserved",
                                                     "reserved-1y", "reserved-3y", "owned"};
constexpr std::array<std::string_view, 3> kRungs{kRungContracted, kRungSpotHistory, kRungList};
constexpr std::array<std::string_view, 12> kColumns{
    "provider", "region", "instance_type", "purchase",    "rung",   "currency",
    "amount",   "per",    "valid_from",    "valid_until", "source", "as_of"};
constexpr std::int64_t kBlockSecondsMax = std::int64_t{100} * 366 * 24 * 3600;
// The store keeps a row's money as DECIMAL(18,9).
constexpr Money kAmountMax = Money::Units(1'000'000'000);

std::string_view Or(std::string_view value, std::string_view fallback) {
  return value.empty() ? fallback : value;
}

template <std::size_t N>
bool IsOneOf(std::string_view value, const std::array<std::string_view, N>& allowed) {
  return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

std::int64_t SecondsOf(std::string_view unit) {
  if (unit.empty() || unit == "s" || unit == "second") return 1;
  if (unit == "m") return 60;
  if (unit == "h" || unit == "hour") return 3'600;
  if (unit == "d" || unit == "day") return 86'400;
  if (unit == "month") return kSecondsPerMonth;
  return 0;
}

// "hour", "month", "3600", "24h"; "" is an hour. Null if it is none of them.
std::optional<std::int64_t> ParseBlock(std::string_view per) {
  if (per.empty()) return 3'600;
  std::int64_t count = 1;
  const char* end = per.data();
  if (per.front() >= '0' && per.front() <= '9') {
    const auto [rest, error] = std::from_chars(per.data(), per.data() + per.size(), count);
    if (error != std::errc()) return std::nullopt;
    end = rest;
  }
  const std::int64_t unit = SecondsOf(per.substr(static_cast<std::size_t>(end - per.data())));
  if (unit == 0 || count < 1 || count > kBlockSecondsMax / unit) return std::nullopt;
  return count * unit;
}

// The written amount for a block of `per_seconds`, exactly: decimals beyond the ninth move
// into a longer block (0.00000000012 an hour is 0.00000012 per 1000 h).
Result<BlockPrice> ParseAmount(std::string_view text, std::int64_t per_seconds) {
  PLIMSOLL_TRY(const ExactDecimal value, ExactDecimal::Parse(text));
  int128 unit = 1;  // 10^31: `rest` counts that part of a nano
  for (int digit = 0; digit < ExactDecimal::kRestDigits; ++digit) unit *= 10;
  int128 nanos = value.floor().nanos();
  int128 rest = value.rest();
  for (int shift = 0; rest != 0; ++shift) {
    if (shift == 9 || per_seconds > kBlockSecondsMax / 10 || nanos >= kAmountMax.nanos()) {
      return Error{ErrorCode::kBadData,
                   "has more decimals than can be kept; give the price of a longer block "
                   "(per: month)"};
    }
    rest *= 10;
    nanos = nanos * 10 + rest / unit;
    rest %= unit;
    per_seconds *= 10;
  }
  return BlockPrice{Money::FromNanos(nanos), per_seconds};
}

bool IsCurrency(std::string_view code) {
  return code.size() == 3 &&
         std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Gathers the parsed values of one price and everything that is wrong with them.
class PriceParser {
 public:
  PriceParser(const PriceText& text, const PriceDefaults& defaults)
      : text_(text),
        provider_(Or(text.provider, defaults.provider)),
        purchase_(Or(text.purchase, "on-demand")),
        rung_(Or(text.rung, defaults.rung)),
        currency_(Or(text.currency, defaults.currency)),
        source_(Or(text.source, defaults.source)),
        as_of_(Or(text.as_of, defaults.as_of)) {}

  std::vector<FieldProblem> AppendTo(PriceBatch& prices) {
    CheckNames();
    ParsePrice();
    ParseValidity();
    if (problems_.empty()) Append(prices);
    return std::move(problems_);
  }

 private:
  void Bad(const char* field, std::string reason) {
    problems_.push_back({field, std::move(reason)});
  }

  void CheckNames() {
    if (provider_.empty()) Bad("provider", "is missing: aws, gcp, azure, on-prem or your own name");
    if (text_.instance_type.empty()) {
      Bad("instance_type",
          "is missing: the type the nodes report, a node's name or a pattern of names");
    }
    if (!IsOneOf(purchase_, kPurchases)) {
      Bad("purchase", fmt::format("'{}' is not on-demand, spot, reserved, reserved-1y, "
                                  "reserved-3y or owned",
                                  purchase_));
    }
    if (!IsOneOf(rung_, kRungs)) {
      Bad("rung", fmt::format("'{}' is not contracted, spot-history or list", rung_));
    }
    if (!IsCurrency(currency_)) {
      Bad("currency", fmt::format("'{}' is not a currency: three capitals as in USD", currency_));
    }
  }

  void ParsePrice() {
    const std::optional<std::int64_t> block = ParseBlock(text_.per);
    if (!block) {
      Bad("per",
          fmt::format("'{}' is not hour, day, month, 24h or a number of seconds", text_.per));
    }
    if (text_.amount.empty()) {
      return Bad("amount", "is missing: leave the row out if there is no such offer");
    }
    Result<BlockPrice> price = ParseAmount(text_.amount, block.value_or(3'600));
    if (!price) return Bad("amount", price.error().message);
    if (price->amount <= Money()) {
      return Bad("amount", "must be above 0: leave the row out if there is no such offer");
    }
    if (price->amount >= kAmountMax) {
      return Bad("amount", "must be below 10^9: give the price of a shorter block");
    }
    price_ = *price;
  }

  void ParseValidity() {
    if (!text_.valid_from.empty()) {
      if (const auto from = ParseInstant(text_.valid_from)) {
        from_ = *from;
      } else {
        Bad("valid_from", from.error().message);
      }
    }
    if (!text_.valid_until.empty()) {
      if (const auto until = ParseInstant(text_.valid_until)) {
        until_ = *until;
      } else {
        Bad("valid_until", until.error().message);
      }
    }
    if (until_ && *until_ <= from_) Bad("valid_until", "must be after valid_from");
    if (!as_of_.empty() && !ParseInstant(as_of_)) {
      Bad("as_of", fmt::format("'{}' is not a date such as 2026-07-20", as_of_));
    }
  }

  void Append(PriceBatch& prices) const {
    prices.snapshot_id.push_back(0);
    prices.provider.push_back(CanonicalProvider(provider_));
    prices.region.emplace_back(text_.region);
    prices.instance_type.emplace_back(text_.instance_type);
    prices.purchase.emplace_back(purchase_);
    prices.rung.emplace_back(rung_);
    prices.currency.emplace_back(currency_);
    prices.amount.push_back(price_.amount);
    prices.per_seconds.push_back(price_.per_seconds);
    prices.valid_from.push_back(from_);
    prices.valid_until.push_back(until_);
    prices.source.emplace_back(source_);
    prices.as_of.emplace_back(as_of_);
  }

  const PriceText& text_;
  std::string_view provider_, purchase_, rung_, currency_, source_, as_of_;
  BlockPrice price_;
  Instant from_;
  std::optional<Instant> until_;
  std::vector<FieldProblem> problems_;
};

// "# name: our prices" in the comments above the header names the file's scope.
std::string DeclaredName(std::string_view text) {
  constexpr std::string_view kKey = "# name:";
  while (!text.empty() && text.front() == '#') {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.substr(0, kKey.size()) == kKey) {
      line.remove_prefix(kKey.size());
      while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
      return std::string(line);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "";
}

// What is wrong with the header, if anything.
std::vector<FieldProblem> CheckHeader(const CsvTable& table) {
  std::vector<FieldProblem> problems;
  if (table.header.line == 0) return {{"", "the file is empty"}};
  for (const char* required : {"instance_type", "amount"}) {
    if (!table.Column(required)) {
      problems.push_back({required, "the column is missing; see docs/formats/prices.md"});
    }
  }
  for (const std::string& column : table.header.fields) {
    if (!IsOneOf(std::string_view(column), kColumns)) {
      problems.push_back({column, "is no column of a price file; see docs/formats/prices.md"});
    }
  }
  return problems;
}

PriceText TextOf(const CsvTable& table, const CsvRecord& record) {
  const auto field = [&](std::string_view name) { return table.Field(record, name); };
  return {field("provider"),   field("region"),      field("instance_type"), field("purchase"),
          field("rung"),       field("currency"),    field("amount"),        field("per"),
          field("valid_from"), field("valid_until"), field("source"),        field("as_of")};
}

}  // namespace

std::vector<FieldProblem> AppendPrice(const PriceText& text, const PriceDefaults& defaults,
                                      PriceBatch& prices) {
  return PriceParser(text, defaults).AppendTo(prices);
}

PriceFile ReadPriceCsv(const std::string& file, std::string_view text,
                       const PriceDefaults& defaults) {
  PriceFile result;
  result.name = DeclaredName(text);
  const CsvTable table = ReadCsv(text);
  for (const FieldProblem& problem : CheckHeader(table)) {
    result.rejections.push_back({file, std::max<std::int64_t>(table.header.line, 1), problem.field,
                                 problem.reason, "", std::string(table.header.raw)});
  }
  if (!result.rejections.empty()) return result;
  for (const CsvError& error : table.errors) {
    result.rejections.push_back({file, error.line, "", error.reason, "", std::string(error.raw)});
  }
  for (const CsvRecord& record : table.records) {
    const PriceText price = TextOf(table, record);
    const std::vector<FieldProblem> problems = AppendPrice(price, defaults, result.prices);
    if (problems.empty()) result.lines.push_back(record.line);
    for (const FieldProblem& problem : problems) {
      result.rejections.push_back(
          {file, record.line, problem.field, problem.reason, "", std::string(record.raw)});
    }
  }
  return result;
}

std::string ToText(const Rejection& rejection) {
  if (rejection.field.empty()) {
    return fmt::format("{}:{}: {}", rejection.file, rejection.line, rejection.reason);
  }
  return fmt::format("{}:{}: {}: {}", rejection.file, rejection.line, rejection.field,
                     rejection.reason);
}

}  // namespace plimsoll
