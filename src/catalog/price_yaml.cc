#include "catalog/price_yaml.h"

#include <optional>

#include "catalog/on_prem.h"

namespace plimsoll {
namespace {

void Report(YamlFields& fields, const std::vector<FieldProblem>& problems) {
  for (const FieldProblem& problem : problems) fields.Problem(problem.field, problem.reason);
}

void ReadPrice(YamlFields& fields, const PriceDefaults& defaults, PriceFile& result) {
  const std::size_t before = result.rejections.size();
  const std::string provider = fields.Text("provider");
  const std::string region = fields.Text("region");
  const std::string instance_type = fields.Text("instance_type");
  const std::string purchase = fields.Text("purchase");
  const std::string rung = fields.Text("rung");
  const std::string currency = fields.Text("currency");
  const std::string amount = fields.Text("amount");
  const std::string per = fields.Text("per");
  const std::string from = fields.Text("valid_from");
  const std::string until = fields.Text("valid_until");
  const std::string source = fields.Text("source");
  const std::string as_of = fields.Text("as_of");
  fields.Finish();
  if (result.rejections.size() != before) return;
  const PriceText text{provider, region, instance_type, purchase, rung,   currency,
                       amount,   per,    from,          until,    source, as_of};
  Report(fields, AppendPrice(text, defaults, result.prices));
  if (result.rejections.size() == before) result.lines.push_back(fields.line());
}

// The remaining fields of an on-prem entry, once its price is known to be right.
struct OnPremEntry {
  std::string name, region, currency, from, until, source, as_of;
  OnPremNode node;
};

OnPremEntry ReadEntry(YamlFields& fields) {
  OnPremEntry entry;
  entry.name = fields.RequiredText("name");
  entry.region = fields.Text("region");
  entry.currency = fields.Text("currency");
  entry.from = fields.Text("valid_from");
  entry.until = fields.Text("valid_until");
  entry.source = fields.Text("source");
  entry.as_of = fields.Text("as_of");
  entry.node.capex = fields.Amount("capex");
  entry.node.residual = fields.Amount("residual");
  entry.node.amortization_months = fields.Integer("amortization_months", 1, 0);
  entry.node.power_watts = fields.Scaled("power_kw", 1'000, 0);
  entry.node.pue_milli = fields.Scaled("pue", 1'000, 1'000);
  entry.node.price_per_kwh = fields.Amount("price_per_kwh");
  entry.node.hosting_per_month = fields.Amount("hosting_per_month");
  // Percent in steps of 1/10'000 are parts per million.
  entry.node.support_ppm = fields.Scaled("support_percent", 10'000, 0);
  return entry;
}

void ReadOnPrem(YamlFields& fields, const PriceDefaults& defaults, PriceFile& result) {
  const std::size_t before = result.rejections.size();
  const OnPremEntry entry = ReadEntry(fields);
  fields.Finish();
  if (result.rejections.size() != before) return;
  const Result<BlockPrice> price = OnPremPrice(entry.node);
  if (!price) return fields.Problem("name", price.error().message);
  const std::string amount = price->amount.ToString();
  const std::string per = std::to_string(price->per_seconds);
  PriceText text;
  text.provider = "on-prem";
  text.region = entry.region;
  text.instance_type = entry.name;
  text.purchase = "owned";
  text.rung = kRungContracted;
  text.currency = entry.currency;
  text.amount = amount;
  text.per = per;
  text.valid_from = entry.from;
  text.valid_until = entry.until;
  text.source = entry.source;
  text.as_of = entry.as_of;
  Report(fields, AppendPrice(text, defaults, result.prices));
  if (result.rejections.size() == before) result.lines.push_back(fields.line());
}

}  // namespace

void ReadPriceLists(YamlFields& fields, const std::string& file, const PriceDefaults& defaults,
                    PriceFile& result) {
  const std::vector<YAML::Node> prices = fields.Maps("prices");
  for (std::size_t i = 0; i < prices.size(); ++i) {
    YamlFields entry(prices[i], file, fields.PathOf("prices", i), result.rejections);
    ReadPrice(entry, defaults, result);
  }
  const std::vector<YAML::Node> nodes = fields.Maps("on_prem");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    YamlFields entry(nodes[i], file, fields.PathOf("on_prem", i), result.rejections);
    ReadOnPrem(entry, defaults, result);
  }
}

PriceDefaults ReadPriceDefaults(YamlFields& fields, const PriceDefaults& fallback) {
  const auto text = [&](const char* key, const std::string& otherwise) {
    const std::string value = fields.Text(key);
    return value.empty() ? otherwise : value;
  };
  return {text("provider", fallback.provider), text("currency", fallback.currency),
          text("rung", fallback.rung), text("source", fallback.source),
          text("as_of", fallback.as_of)};
}

PriceFile ReadPriceYaml(const std::string& file, const std::string& text,
                        const PriceDefaults& defaults) {
  PriceFile result;
  const std::optional<YAML::Node> document = ParseYaml(file, text, result.rejections);
  if (!document) return result;
  YamlFields fields(*document, file, "", result.rejections);
  result.name = fields.Text("name");
  const PriceDefaults own = ReadPriceDefaults(fields, defaults);
  ReadPriceLists(fields, file, own, result);
  fields.Finish();
  return result;
}

}  // namespace plimsoll
