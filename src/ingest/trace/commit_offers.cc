#include "ingest/trace/commit_offers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/csv.h"
#include "catalog/yaml_fields.h"
#include "ingest/trace/hour_rows.h"
#include "ingest/trace/offer_rows.h"

namespace plimsoll {
namespace {

std::string JoinFlavors(const std::vector<std::string>& flavors) {
  std::string joined;
  for (const std::string& flavor : flavors) joined += (joined.empty() ? "" : ";") + flavor;
  return joined;
}

void Report(YamlFields& fields, const std::vector<OfferProblem>& problems) {
  for (const OfferProblem& problem : problems) fields.Problem(problem.field, problem.reason);
}

class YamlReader {
 public:
  explicit YamlReader(const std::string& file) : file_(file) {}

  Result<OfferFile> Read(const std::string& text) {
    if (const std::optional<YAML::Node> root = ParseYaml(file_, text, problems_)) {
      YamlFields fields(*root, file_, "", problems_);
      Each(fields, "offers", [&](YamlFields& entry) { ReadOffer(entry); });
      Each(fields, "on_demand", [&](YamlFields& entry) { ReadOnDemand(entry); });
      Each(fields, "existing", [&](YamlFields& entry) { ReadExisting(entry); });
      fields.Finish();
    }
    if (problems_.empty()) return std::move(out_);
    LineErrors errors(file_);
    for (const Rejection& problem : problems_) {
      errors.Add(problem.line,
                 (problem.field.empty() ? "" : problem.field + ": ") + problem.reason);
    }
    return errors.ToError();
  }

 private:
  template <class ReadEntry>
  void Each(YamlFields& fields, const char* key, const ReadEntry& read) {
    const std::vector<YAML::Node> maps = fields.Maps(key);
    for (std::size_t i = 0; i < maps.size(); ++i) {
      YamlFields entry(maps[i], file_, fields.PathOf(key, i), problems_);
      read(entry);
      entry.Finish();
    }
  }

  void ReadOffer(YamlFields& entry) {
    OfferText text;
    text.name = entry.RequiredText("name");
    text.kind = entry.Text("kind");
    text.term = entry.Text("term");
    text.payment = entry.Text("payment");
    text.rate = entry.Text("rate");
    text.upfront = entry.Text("upfront");
    text.attached = entry.Text("attached_reservation");
    text.flavor = JoinFlavors(entry.Texts("flavors"));
    const bool twice =
        std::any_of(out_.offers.begin(), out_.offers.end(),
                    [&](const CommitmentOffer& offer) { return offer.name == text.name; });
    if (twice) entry.Problem("name", "'" + text.name + "' is given to two offers");
    if (text.name.empty() || twice) {
      entry.Maps("rates");  // known, if not read
      return;
    }
    Report(entry, AddOffer(text, out_.offers));
    Each(entry, "rates", [&](YamlFields& of) {
      OfferText part;
      part.name = text.name;
      part.flavor = of.RequiredText("flavor");
      part.rate = of.RequiredText("rate");
      Report(of, AddOffer(part, out_.offers));
    });
  }

  void ReadOnDemand(YamlFields& entry) {
    FlavorPrice price;
    price.flavor = entry.RequiredText("flavor");
    const std::string text = entry.RequiredText("price");
    const std::optional<Money> amount = ParsePrice(text);
    if (!text.empty() && (!amount || *amount == Money() || *amount > Money::Units(10'000))) {
      entry.Problem("price", "'" + text + "' is not the price of a unit-hour");
    }
    price.price = amount.value_or(Money());
    out_.on_demand.push_back(std::move(price));
  }

  void ReadExisting(YamlFields& entry) {
    ExistingText text;
    text.name = entry.RequiredText("name");
    text.flavor = entry.Text("flavor");
    text.units = entry.RequiredText("units");
    text.rate = entry.Text("rate");
    text.upfront = entry.Text("upfront");
    text.term = entry.Text("term");
    text.expires = entry.RequiredText("expires");
    if (text.name.empty() || text.units.empty() || text.expires.empty()) return;
    Report(entry, AddExisting(text, out_.existing));
  }

  const std::string& file_;
  std::vector<Rejection> problems_;
  OfferFile out_;
};

constexpr const char* kOfferColumns[] = {"name",   "kind", "term",    "payment",
                                         "flavor", "rate", "upfront", "attached_reservation"};
constexpr const char* kExistingColumns[] = {"name",    "flavor", "units",  "rate",
                                            "upfront", "term",   "expires"};

Result<OfferFile> ReadCsvOffers(const std::string& file, const std::string& text) {
  const CsvTable table = ReadCsv(text);
  LineErrors errors(file);
  for (const CsvError& error : table.errors) errors.Add(error.line, error.reason);
  const bool existing = table.Column("expires").has_value();
  const auto known = [&](const std::string& name) {
    const auto is = [&](const char* column) { return name == column; };
    return existing ? std::any_of(std::begin(kExistingColumns), std::end(kExistingColumns), is)
                    : std::any_of(std::begin(kOfferColumns), std::end(kOfferColumns), is);
  };
  for (const std::string& column : table.header.fields) {
    if (!known(column)) errors.Add(table.header.line, "column '" + column + "' is not known here");
  }
  OfferFile out;
  std::map<std::pair<std::string, std::string>, std::string> told;  // (offer, column) -> value
  for (const CsvRecord& record : table.records) {
    const auto field = [&](const char* name) { return std::string(table.Field(record, name)); };
    const std::vector<OfferProblem> problems =
        existing ? AddExisting({field("name"), field("flavor"), field("units"), field("rate"),
                                field("upfront"), field("term"), field("expires")},
                               out.existing)
                 : AddOffer({field("name"), field("kind"), field("term"), field("payment"),
                             field("flavor"), field("rate"), field("upfront"),
                             field("attached_reservation")},
                            out.offers);
    for (const char* column : {"kind", "term", "payment", "upfront", "attached_reservation"}) {
      if (existing || field(column).empty()) continue;
      const auto [first, is_new] = told.try_emplace({field("name"), column}, field(column));
      if (is_new || first->second == field(column)) continue;
      errors.Add(record.line, std::string(column) + ": '" + field(column) + "' is another than '" +
                                  first->second + "' of offer '" + field("name") +
                                  "' above; give each its own name");
    }
    for (const OfferProblem& problem : problems) {
      errors.Add(record.line, problem.field + ": " + problem.reason);
    }
  }
  if (!errors.empty()) return errors.ToError();
  return out;
}

}  // namespace

Result<OfferFile> ReadOfferFile(const std::string& file, const std::string& text) {
  PLIMSOLL_TRY(OfferFile out,
               IsCsv(text) ? ReadCsvOffers(file, text) : YamlReader(file).Read(text));
  if (!out.offers.empty() || !out.existing.empty() || !out.on_demand.empty()) return out;
  return Error{ErrorCode::kBadData,
               file + ": has no offers and no existing commitments; see docs/formats/usage-csv.md"};
}

}  // namespace plimsoll
