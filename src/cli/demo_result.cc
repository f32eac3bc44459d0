#include "cli/demo_result.h"

#include "cli/priced_requests.h"
#include "cli/spot_measure.h"
#include "cli/training_runs.h"
#include "ledger/query.h"

namespace plimsoll {
namespace {

Status AddLines(Ledger& ledger, Window window, DemoResult& result) {
  PLIMSOLL_TRY(const LedgerTable lines,
               RunQuery(ledger.store(), {window, {"team", "reason", "class", "node"}, ""}));
  for (const LedgerRow& row : lines.rows) {
    const auto cost_class = ParseCostClass(row.keys[2]).value_or(CostClass::kNone);
    DemoValue& value =
        result.lines[{row.keys[0].empty() ? row.keys[1] : row.keys[0], cost_class, row.keys[3]}];
    value.gpu_time += row.gpu_time;
    value.cost += row.cost;
  }
  return Ok();
}

Status AddTotals(Ledger& ledger, DemoResult& result) {
  struct Totals {
    std::vector<std::string> issuer, account, currency, category;
    std::vector<Instant> begin, until;
    std::vector<MoneyTotal> billed, effective;
  } totals;
  const BatchRef refs{{"issuer", ColumnType::kText, &totals.issuer},
                      {"account", ColumnType::kText, &totals.account},
                      {"currency", ColumnType::kText, &totals.currency},
                      {"category", ColumnType::kText, &totals.category},
                      {"billing_begin", ColumnType::kInstant, &totals.begin},
                      {"billing_until", ColumnType::kInstant, &totals.until},
                      {"billed", ColumnType::kMoneyTotal, &totals.billed},
                      {"effective", ColumnType::kMoneyTotal, &totals.effective}};
  PLIMSOLL_RETURN_IF_ERROR(ledger.store().Stream(
      "SELECT issuer, account, currency, category, billing_begin, billing_until, "
      "sum(billed_cost), sum(effective_cost) FROM active_charge GROUP BY ALL",
      {}, refs, [&] {
        for (std::size_t row = 0; row < totals.issuer.size(); ++row) {
          result.totals[{totals.issuer[row],
                         totals.account[row],
                         totals.currency[row],
                         {totals.begin[row], totals.until[row]},
                         totals.category[row]}] = {totals.billed[row].value,
                                                   totals.effective[row].value};
        }
        return Ok();
      }));
  return Ok();
}

Status AddRuns(Context& context, DemoResult& result) {
  TrainingQuestion question;
  question.with_ledger = true;
  PLIMSOLL_TRY(const std::vector<PricedRun> runs, AnswerTraining(context, question));
  for (const PricedRun& run : runs) {
    const TrainingRun& account = run.account;
    DemoRunTruth& answer = result.runs[run.run];
    answer.allocated = account.allocated;
    answer.effective = account.of(TimeCause::kEffective);
    answer.startup = account.of(TimeCause::kStartup);
    answer.data_stall = account.of(TimeCause::kDataStall);
    answer.checkpoint = account.of(TimeCause::kCheckpoint);
    answer.recomputation = account.of(TimeCause::kRecomputation);
    answer.hang = account.of(TimeCause::kHang);
    answer.restart = account.of(TimeCause::kRestart);
    answer.unknown = account.of(TimeCause::kUnknown);
    answer.failures = std::ssize(account.failures);
    answer.samples = account.kept.samples.value_or(0);
    answer.tokens = account.kept.tokens.value_or(0);
  }
  return Ok();
}

Status AddServices(Context& context, Window window, DemoResult& result) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  InferenceFoldOptions options;
  options.services = config->services;
  options.window = window;
  InferenceFold fold(options);
  const Status read = FoldStored(context, options, fold);
  if (!read && read.error().code == ErrorCode::kNotFound) return Ok();
  PLIMSOLL_RETURN_IF_ERROR(read);
  const FoldedRequests folded = fold.Finish();
  for (const RequestGroup& group : folded.groups) {
    DemoServiceTruth& answer = result.services[folded.services[group.service].declared.name];
    answer.requests += group.sums.requests;
    answer.input_tokens += group.sums.input;
    answer.cached_tokens += group.sums.cached;
    answer.tokens += group.sums.output;
    if (group.outcome != Outcome::kGood) continue;
    answer.good += group.sums.requests;
    answer.tokens_good += group.sums.output;
  }
  return Ok();
}

Status AddSpot(Context& context, Ledger& ledger, Window window, DemoResult& result) {
  PLIMSOLL_TRY(const std::optional<SpotSaving> saving, MeasureSpot(context, ledger, window));
  if (!saving) return Ok();
  result.spot[saving->currency] = {saving->all.effective, saving->all.gross(),
                                   saving->all.recomputation, saving->all.restart,
                                   saving->all.evictions};
  return Ok();
}

}  // namespace

Result<DemoResult> DemoResultOf(Context& context, Ledger& ledger, Window window) {
  DemoResult result;
  PLIMSOLL_RETURN_IF_ERROR(AddLines(ledger, window, result));
  PLIMSOLL_RETURN_IF_ERROR(AddTotals(ledger, result));
  PLIMSOLL_RETURN_IF_ERROR(AddRuns(context, result));
  PLIMSOLL_RETURN_IF_ERROR(AddServices(context, window, result));
  PLIMSOLL_RETURN_IF_ERROR(AddSpot(context, ledger, window, result));
  return result;
}

}  // namespace plimsoll
