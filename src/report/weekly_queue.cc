#include "report/display.h"
#include "report/facts_sql.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

std::string WaitText(std::int64_t millis) { return DisplaySeconds(std::to_string(millis / 1'000)); }

ReportTable WaitTable(const Waits& waits) {
  ReportTable table{"waits",
                    "Waits of GPU work that began this week, from queued to begin",
                    {{"source", "Source"},
                     {"queue", "Queue"},
                     {"started", "Started", ValueKind::kCount},
                     {"wait_p50", "Half waited at most"},
                     {"wait_p95", "95 % waited at most"},
                     {"wait_max", "Longest"}},
                    {},
                    {}};
  for (std::size_t i = 0; i < waits.count.size(); ++i) {
    table.rows.push_back({waits.source[i], waits.queue[i].empty() ? "-" : waits.queue[i],
                          std::to_string(waits.count[i]), WaitText(waits.p50_ms[i]),
                          WaitText(waits.p95_ms[i]), WaitText(waits.max_ms[i])});
  }
  return table;
}

std::int64_t CountOf(const Ends& ends, const std::string& reason) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < ends.count.size(); ++i) {
    if (ends.reason[i] == reason) count += ends.count[i];
  }
  return count;
}

}  // namespace

Result<ReportSection> QueueSection(const Ask& ask) {
  ReportSection section;
  section.key = "queue";
  section.title = "Queue";
  PLIMSOLL_TRY(const Waits waits, ReadWaits(ask.store(), ask.window()));
  PLIMSOLL_TRY(const Ends ends, ReadEnds(ask.store(), ask.window()));
  PLIMSOLL_TRY(const Pending pending, ReadPending(ask.store()));
  const bool any = !waits.count.empty() || !ends.count.empty();
  const std::string connect = "connect Kubernetes objects or Slurm accounting";
  std::int64_t requests = 0;
  for (const std::int64_t count : pending.count) requests += count;
  std::int64_t devices = 0;
  for (const std::int64_t count : pending.devices) devices += count;
  const auto count = [&](const char* key, const char* label, const char* reason) {
    return ReportFact{key,
                      label,
                      ValueKind::kCount,
                      any ? Value(std::to_string(CountOf(ends, reason))) : std::nullopt,
                      "",
                      "",
                      any ? "GPU workloads that ended so" : connect};
  };
  section.facts = {
      {"pending", "Waiting for GPUs now", ValueKind::kCount,
       any ? Value(std::to_string(requests)) : std::nullopt, "requests", "",
       any ? "for " + std::to_string(devices) + " GPUs" : connect},
      count("preempted", "Preempted", "Preempted"),
      count("evicted", "Evicted (spot and pressure)", "Evicted"),
      count("requeued", "Requeued", "Requeued"),
      {"rejected", "Rejected at admission", ValueKind::kCount, std::nullopt, "", "",
       "connect the admission webhook's audit log"},
      {"borrowing_share", "Borrowed quota", ValueKind::kPercent, std::nullopt, "", "",
       "connect Kueue ClusterQueues"},
  };
  if (!waits.count.empty()) section.tables.push_back(WaitTable(waits));
  section.connect = {"Borrowing and rejections need Kueue's objects and the admission log."};
  return section;
}

}  // namespace plimsoll
