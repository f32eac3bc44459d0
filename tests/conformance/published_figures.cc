#include "published_figures.h"

#include "base/check.h"
#include "catalog/catalog.h"
#include "purchase/mig/mig_packing.h"
#include "purchase/sku/token_cost.h"
#include "units/time.h"

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }
Money Whole(std::int64_t n) { return Money::Units(n); }

// a x n / d, rounded half to even.
Money Times(Money a, std::int64_t n, std::int64_t d = 1) {
  return Money::FromNanos(DivideHalfEven(a.nanos() * n, d));
}

// a / b.
Money Over(Money a, Money b) {
  return Money::FromNanos(DivideHalfEven(a.nanos() * Money::kNanosPerUnit, b.nanos()));
}

// "16,516.08": at least two decimals, without zeros behind them.
std::string Text(Money money, std::size_t decimals = 2) {
  Money step = Money::Units(1);
  for (std::size_t i = 0; i < decimals; ++i) step = Times(step, 1, 10);
  const int128 steps = DivideHalfEven(money.nanos(), step.nanos());
  std::string text = Money::FromNanos(steps * step.nanos()).ToString();
  text.resize(text.find('.') + (decimals == 0 ? 0 : 1 + decimals));
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t i = point; i > 3 && text[i - 4] != '-'; i -= 3) text.insert(i - 3, ",");
  return text;
}

FigureCheck Check(std::string what, Money printed, Money computed, std::size_t decimals = 2) {
  return {std::move(what), printed, computed, Whole(1), Text(computed, decimals)};
}

FigureCheck Cents(std::string what, Money printed, Money computed) {
  return {std::move(what), printed, computed, Amount("0.01"), Text(computed, 4)};
}

FigureCheck Percent(const char* what, std::int64_t printed, Money share, std::size_t decimals = 1) {
  const Money percent = Times(share, 100);
  return {what, Whole(printed), percent, Whole(1), Text(percent, decimals) + " %"};
}

// What plimsoll plan sku computes for a replica of so many tokens a second.
Money PerMillion(const char* per_hour, std::int64_t tokens_per_second) {
  return *CostPerMillionTokens(Amount(per_hour), {tokens_per_second * 1'000});
}

const Money kOnDemand = Amount("32.77");  // p4d.24xlarge of the article
const Money kSpot = Amount("11.47");

std::vector<PublishedFigure> SpotFigures() {
  const Money paid = Times(kOnDemand, 504);
  const Money after = Times(kSpot, 624 + 5 * 24);
  // Whole evictions of 24 h until spot costs what on demand does.
  const std::int64_t erased = static_cast<std::int64_t>(
      (paid.nanos() - Times(kSpot, 504).nanos() + Times(kSpot, 24).nanos() - 1) /
      Times(kSpot, 24).nanos());
  return {
      {1,
       "A 7B training run on demand costs $16,516",
       "504 h x $32.77",
       {Check("cost", Whole(16'516), paid)},
       ""},
      {2,
       "On spot without an eviction: $5,781",
       "504 h x $11.47",
       {Check("cost", Whole(5'781), Times(kSpot, 504))},
       ""},
      {3,
       "On spot, 2 evictions, hourly checkpoints: 521 h, $5,975",
       "521 h x $11.47; 504 h + 2 x 4 h",
       {Check("cost", Whole(5'975), Times(kSpot, 521)),
        Check("hours", Whole(521), Whole(504 + 2 * 4), 0)},
       "17 h are 8.5 h an eviction, where the text says 4 h; at 4 h it is $" +
           Text(Times(kSpot, 512))},
      {4,
       "On spot, 5 evictions, hourly checkpoints: 547 h, $6,274",
       "547 h x $11.47; 504 h + 5 x 4 h",
       {Check("cost", Whole(6'274), Times(kSpot, 547)),
        Check("hours", Whole(547), Whole(504 + 5 * 4), 0)},
       "43 h are " + Text(Times(Whole(43), 1, 5), 1) + " h an eviction"},
      {5,
       "On spot, 5 evictions, daily checkpoints: 624 h, $7,159",
       "624 h x $11.47",
       {Check("cost", Whole(7'159), Times(kSpot, 624))},
       "$" + Text(Whole(7'159) - Times(kSpot, 624)) + " too much; 24 h an eviction"},
      {6,
       "Daily checkpoints cost an extra 80 hours",
       "624 h - 547 h",
       {Check("hours", Whole(80), Whole(624 - 547), 0)},
       ""},
      {7,
       "The saving of $10,541 shrinks to $9,357",
       "16,516 - 5,975; 16,516 - 7,159",
       {Check("first", Whole(10'541), Whole(16'516) - Whole(5'975), 0),
        Check("second", Whole(9'357), Whole(16'516) - Whole(7'159), 0)},
       "From the printed rows; with row 5 right it is $" + Text(paid - Times(kSpot, 624))},
      {8,
       "Five more evictions on daily checkpoints would erase the saving",
       "(624 h + 5 x 24 h) x $11.47",
       {Check("saving", Money(), paid - after)},
       "The run then costs $" + Text(after) + "; at 24 h each it takes " + std::to_string(erased) +
           " evictions in all to erase the saving"},
      {9,
       "Spot is 65 % cheaper",
       "1 - 11.47 / 32.77",
       {Percent("discount", 65, Whole(1) - Over(kSpot, kOnDemand))},
       ""},
      {10,
       "One 8-GPU training cluster costs $95,800 a month, four cost $4.6M a year",
       "p4d.24xlarge at $32.77 x 730 h; x 4 x 12",
       {Check("a month", Whole(95'800), Times(kOnDemand, 730)),
        Check("a year", Whole(4'600'000), Times(kOnDemand, 730 * 4 * 12))},
       "$95.8k is four such nodes ($" + Text(Times(kOnDemand, 730 * 4)) +
           "), so the year is that of sixteen"},
  };
}

std::vector<PublishedFigure> InferenceFigures() {
  const Money month = Times(Amount("3.67"), 7'284, 10);
  const Money reserved = Times(Amount("1.58"), 7'284, 10);
  return {
      {11,
       "a2-highgpu-1g: $2,673 a month, with a 3-year commitment $1,151",
       "$3.67 and $1.58 x 728.4 h",
       {Check("on demand", Whole(2'673), month), Check("committed", Whole(1'151), reserved)},
       "Only a month of 728.4 h gives both; 730 h give $" + Text(Times(Amount("3.67"), 730)) +
           " and $" + Text(Times(Amount("1.58"), 730))},
      {12,
       "Ten such instances save $15,220 a month, $182,640 a year",
       "(2,673 - 1,151) x 10; x 12",
       {Check("a month", Whole(15'220), Whole((2'673 - 1'151) * 10), 0),
        Check("a year", Whole(182'640), Whole((2'673 - 1'151) * 10 * 12), 0)},
       ""},
      {13,
       "g5.xlarge: $1.30 per million tokens",
       "$0.42 reserved, 90 tokens/s",
       {Cents("cost", Amount("1.30"), PerMillion("0.42", 90))},
       "At the reserved price; on demand ($1.006) it is $" + Text(PerMillion("1.006", 90), 4)},
      {14,
       "inf2.xlarge: $0.66 per million tokens",
       "$0.31 reserved, 130 tokens/s",
       {Cents("cost", Amount("0.66"), PerMillion("0.31", 130))},
       "At the reserved price"},
      {15,
       "p4d.24xlarge: $0.43 per million tokens",
       "$11.13 reserved, 8 x 720 tokens/s",
       {Cents("cost", Amount("0.43"), PerMillion("11.13", 8 * 720))},
       "On demand it is $" + Text(PerMillion("32.77", 8 * 720), 4)},
      {16,
       "a2-highgpu-1g: $1.74 per million tokens",
       "$1.58 committed, 95 tokens/s",
       {Cents("cost", Amount("1.74"), PerMillion("1.58", 95))},
       "On demand it is $" + Text(PerMillion("3.67", 95), 4)},
      {17,
       "Inferentia2 has 1.7 x the throughput of A10G at 75 % of the price, 1.7 x the value",
       "130 / 90 tokens/s; $0.76 / $1.006",
       {{"throughput", Amount("1.7"), Over(Whole(130), Whole(90)), Amount("0.1"),
         Text(Over(Whole(130), Whole(90)))},
        Percent("price", 75, Over(Amount("0.76"), Amount("1.006"))),
        {"value", Amount("1.7"), Over(PerMillion("1.006", 90), PerMillion("0.76", 130)),
         Amount("0.1"), Text(Over(PerMillion("1.006", 90), PerMillion("0.76", 130)))}},
       "Reserved, the value is " + Text(Over(PerMillion("0.42", 90), PerMillion("0.31", 130)), 3) +
           " x"},
  };
}

std::vector<PublishedFigure> ScheduleFigures() {
  const Money hour = Amount("1.21");
  const std::int64_t weekend =
      Between(*ParseInstant("2026-11-27T18:00:00Z"), *ParseInstant("2026-11-30T09:00:00Z")).base() /
      Hours(1).base();
  const Money all = Times(hour, 50 * 720);
  const Money saved = Whole(43'560) - Whole(7'187);
  return {
      {18,
       "A notebook left from Friday 18:00 to Monday 09:00: 63 h, $76",
       "63 h x $1.21",
       {Check("hours", Whole(63), Whole(weekend), 0), Check("cost", Whole(76), Times(hour, 63))},
       ""},
      {19,
       "50 people: $3,800 a weekend, $15,200 a month, $182,400 a year",
       "76 x 50; x 4; x 12",
       {Check("a weekend", Whole(3'800), Whole(76 * 50), 0),
        Check("a month", Whole(15'200), Whole(76 * 50 * 4), 0),
        Check("a year", Whole(182'400), Whole(76 * 50 * 4 * 12), 0)},
       "From the rounded $76: unrounded a weekend is $" + Text(Times(hour, 63 * 50)) +
           ", and a month has 4.345 of them"},
      {20,
       "50 x g5.2xlarge always on: 36,000 h, $43,560",
       "50 x 720 h x $1.21",
       {Check("hours", Whole(36'000), Whole(50 * 720), 0), Check("cost", Whole(43'560), all)},
       ""},
      {21,
       "Stopped on weekends: 25,200 h, $30,492",
       "36,000 h x 0.7 x $1.21",
       {Check("hours", Whole(25'200), Times(Whole(36'000), 7, 10), 0),
        Check("cost", Whole(30'492), Times(hour, 25'200))},
       "504 h each; 30 days with 4.29 weekends of 48 h leave " +
           Text(Whole(720) - Times(Whole(48), 30, 7), 1) + " h"},
      {22,
       "Business hours and no weekends: 9,900 h, $11,979",
       "22 days x 9 h x 50 x $1.21",
       {Check("hours", Whole(9'900), Whole(22 * 9 * 50), 0),
        Check("cost", Whole(11'979), Times(hour, 22 * 9 * 50))},
       ""},
      {23,
       "With idle detection: 5,940 h, $7,187",
       "9,900 h x 0.6 x $1.21",
       {Check("hours", Whole(5'940), Times(Whole(9'900), 6, 10), 0),
        Check("cost", Whole(7'187), Times(hour, 5'940))},
       "That is an idle part of 40 %; the 30 % of the text leave " +
           Text(Times(Whole(9'900), 7, 10), 0) + " h"},
      {24,
       "Saves $36,373 a month, $436,476 a year, 80 %",
       "43,560 - 7,187; x 12; of 43,560",
       {Check("a month", Whole(36'373), saved, 0),
        Check("a year", Whole(436'476), Times(saved, 12), 0),
        Percent("part", 80, Over(saved, all))},
       ""},
      {25,
       "30 % idle, 30 % business hours and 15 % weekend make 80 %",
       "1 - (1 - 0.3)(1 - 0.3)(1 - 0.15)",
       {Percent("part", 80, Whole(1) - Times(Amount("0.49"), 85, 100), 2)},
       "The article's own rows make 83.5 %"},
      {26,
       "$200,000 a month lands at $80,000 to $95,000",
       "",
       {},
       Text(Times(Whole(105), 100, 200), 1) + " to " + Text(Times(Whole(120), 100, 200), 1) +
           " % saved: stated, depends on the mix of loads"},
  };
}

PublishedFigure MigFigure() {
  static const Catalog catalog = *Catalog::Load(BuiltinCatalogFiles());
  const MigGeometry geometry = *MigGeometry::Of(*catalog.FindGpu("A100-SXM-80GB"));
  const std::size_t smallest = *geometry.FindProfile("1g");
  std::int64_t most = 0;
  for (const MigPartition& partition : geometry.partitions()) {
    most = std::max(most, partition.counts[smallest]);
  }
  MigCounts wanted(geometry.profiles().size(), 0);
  wanted[smallest] = 8 * most;
  const MigPacking packing = PackMig(geometry, wanted);
  PLIMSOLL_CHECK(packing.cards_proven && packing.cards.size() == 8);
  return {27,
          "MIG: 8 A100 x 7 carry 56 models, up to 7 x cheaper each",
          "8 x 7 slices",
          {Check("models", Whole(56), Whole(8 * most), 0)},
          "7 x only where a seventh of the compute and an eighth of memory and bandwidth "
          "suffice for the model and its SLO"};
}

std::vector<PublishedFigure> KubernetesFigures() {
  const Money job = Times(Amount("6.59"), 120);
  return {
      {28,
       "$88/h x 8 GPUs x 0.3 utilization = $21.12/h effective cost",
       "88 x 8 x 0.3",
       {Check("an hour", Amount("21.12"), Times(Whole(88 * 8), 3, 10))},
       "$21.12 needs $8.80 a GPU-hour; and price x utilization is the spend that did useful "
       "work: a useful GPU-hour costs price / utilization, $" +
           Text(Times(Amount("8.80"), 10, 3))},
      {29,
       "$6.59/h x 120 h = $790.80",
       "6.59 x 120",
       {{"cost", Amount("790.80"), job, Amount("0.01"), Text(job)}},
       ""},
      {30,
       "x 0.3 utilization = $237 a month effective cost",
       "790.80 x 0.3",
       {Check("used", Whole(237), Times(job, 3, 10))},
       "Named used cost here: effective cost means something else in FOCUS. Unused are $" +
           Text(Times(job, 7, 10))},
  };
}

void Append(std::vector<PublishedFigure>& to, std::vector<PublishedFigure> figures) {
  for (PublishedFigure& figure : figures) to.push_back(std::move(figure));
}

}  // namespace

bool FigureCheck::follows() const {
  const int128 rounded = DivideHalfEven(computed.nanos(), unit.nanos()) * unit.nanos();
  const int128 cut = computed.nanos() / unit.nanos() * unit.nanos();
  return computed == printed || rounded == printed.nanos() || cut == printed.nanos();
}

std::string PublishedFigure::Verdict() const {
  if (checks.empty()) return "stated, not derivable";
  std::string wrong, right;
  for (const FigureCheck& check : checks) {
    std::string& list = check.follows() ? right : wrong;
    list += (list.empty() ? "" : ", ") + check.what;
  }
  if (wrong.empty()) return "follows";
  if (right.empty()) return "does not follow";
  return right + ": follows; " + wrong + ": does not follow";
}

std::string PublishedFigure::Recomputed() const {
  std::string text;
  for (const FigureCheck& check : checks) {
    text += (text.empty() ? "" : "; ") + check.shown;
  }
  return text;
}

std::vector<PublishedFigure> PublishedFigures() {
  std::vector<PublishedFigure> figures = SpotFigures();
  Append(figures, InferenceFigures());
  Append(figures, ScheduleFigures());
  figures.push_back(MigFigure());
  Append(figures, KubernetesFigures());
  return figures;
}

std::string PublishedFiguresTable() {
  std::string text =
      "| # | claim | inputs | recomputed | verdict | remark |\n|---|---|---|---|---|---|\n";
  for (const PublishedFigure& figure : PublishedFigures()) {
    text += "| " + std::to_string(figure.number) + " | " + figure.claim + " | " + figure.inputs +
            " | " + figure.Recomputed() + " | " + figure.Verdict() + " | " + figure.remark + " |\n";
  }
  return text;
}

}  // namespace plimsoll
