#include "ingest/slurm/sacct_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "ingest/slurm/sacct_table.h"

namespace plimsoll {
namespace {

using nlohmann::json;
using Fields = std::vector<std::string>;

// A bitmap of more tasks is none that Slurm makes: its largest MaxArraySize is 4,000,001.
constexpr std::size_t kBitmapDigitsMax = 1'000'002;

constexpr std::uint64_t kNoValue32 = 0xfffffffe;          // NO_VAL of slurm.h; +1 is INFINITE
constexpr std::uint64_t kNoValue64 = 0xfffffffffffffffd;  // INFINITE64; then NO_VAL64 and -1

std::string& At(Fields& fields, SacctField field) {
  return fields[static_cast<std::size_t>(field)];
}

// "cpu=4,mem=65536M,gres/gpu:h100=2": memory is counted in MiB.
std::string TresText(const json& list) {
  std::string text;
  if (!list.is_array()) return text;
  for (const json& tres : list) {
    const std::string count = SlurmJsonText(SlurmJsonAt(tres, {"count"}));
    std::string key = SlurmJsonText(SlurmJsonAt(tres, {"type"}));
    if (count.empty() || key.empty()) continue;
    if (const std::string name = SlurmJsonText(SlurmJsonAt(tres, {"name"})); !name.empty()) {
      key += "/" + name;
    }
    text += (text.empty() ? "" : ",") + key + "=" + count + (key == "mem" ? "M" : "");
  }
  return text;
}

// As sacct prints a job's id: "900006_1", "900006_[3-9%2]", "900010+1" or "900001".
std::string JobIdText(const json& job) {
  const std::string array = SlurmJsonText(SlurmJsonAt(job, {"array", "job_id"}));
  if (!array.empty() && array != "0") {
    const std::string tasks = SlurmJsonText(SlurmJsonAt(job, {"array", "task"}));
    const std::string limit =
        SlurmJsonText(SlurmJsonAt(job, {"array", "limits", "max", "running", "tasks"}));
    if (!tasks.empty()) {
      const bool limited = !limit.empty() && limit != "0" && tasks.find('%') == std::string::npos;
      return array + "_[" + ArrayTasksText(tasks) + (limited ? "%" + limit : "") + "]";
    }
    const std::string task = SlurmJsonText(SlurmJsonAt(job, {"array", "task_id"}));
    if (!task.empty()) return array + "_" + task;
  }
  const std::string het = SlurmJsonText(SlurmJsonAt(job, {"het", "job_id"}));
  const std::string offset = SlurmJsonText(SlurmJsonAt(job, {"het", "job_offset"}));
  if (!het.empty() && het != "0" && !offset.empty()) return het + "+" + offset;
  return SlurmJsonText(SlurmJsonAt(job, {"job_id"}));
}

// What ReqMem says: all of the job since 21.08, before that by CPU or by node.
std::string RequestedMemoryText(const json& job) {
  const json& requested = SlurmJsonAt(job, {"tres", "requested"});
  if (requested.is_array()) {
    for (const json& tres : requested) {
      if (SlurmJsonText(SlurmJsonAt(tres, {"type"})) != "mem") continue;
      return SlurmJsonText(SlurmJsonAt(tres, {"count"})) + "M";
    }
  }
  const std::string node = SlurmJsonText(SlurmJsonAt(job, {"required", "memory_per_node"}));
  const std::string cpu = SlurmJsonText(SlurmJsonAt(job, {"required", "memory_per_cpu"}));
  if (!node.empty()) return node + "Mn";
  return cpu.empty() ? "" : cpu + "Mc";
}

// Where each field of a job lies.
struct Path {
  SacctField field;
  std::initializer_list<const char*> keys;
};

void ReadPaths(const json& from, std::initializer_list<Path> paths, Fields& fields) {
  for (const Path& path : paths)
    At(fields, path.field) = SlurmJsonText(SlurmJsonAt(from, path.keys));
}

// Null where `text` is no hexadecimal bitmap.
std::optional<std::vector<std::int64_t>> BitsOf(std::string_view text) {
  if (!text.starts_with("0x") || text.size() > kBitmapDigitsMax) return std::nullopt;
  std::vector<std::int64_t> bits;
  for (std::size_t digit = text.size(); digit-- > 2;) {
    const std::size_t value =
        std::string_view("0123456789abcdef")
            .find(static_cast<char>(text[digit] | (text[digit] >= 'A' ? 0x20 : 0)));
    if (value == std::string_view::npos) return std::nullopt;
    for (std::size_t bit = 0; bit < 4; ++bit) {
      if ((value >> bit & 1U) == 0) continue;
      bits.push_back(static_cast<std::int64_t>((text.size() - 1 - digit) * 4 + bit));
    }
  }
  return bits;
}

// The distance of all neighbours, or 0 if they are not evenly apart.
std::int64_t EvenStep(const std::vector<std::int64_t>& bits) {
  const std::int64_t step = bits.size() < 2 ? 0 : bits[1] - bits[0];
  for (std::size_t i = 1; i < bits.size(); ++i) {
    if (bits[i] - bits[i - 1] != step) return 0;
  }
  return step;
}

}  // namespace

const json& SlurmJsonAt(const json& object, std::initializer_list<const char*> path) {
  static const json null;
  const json* at = &object;
  for (const char* key : path) {
    if (!at->is_object()) return null;
    const auto found = at->find(key);
    if (found == at->end()) return null;
    at = &*found;
  }
  return *at;
}

std::string SlurmJsonText(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    const bool none = number == kNoValue32 || number == kNoValue32 + 1 || number >= kNoValue64;
    return none ? "" : std::to_string(number);
  }
  if (value.is_number()) return value.dump();
  if (!value.is_object()) return "";
  const json& set = SlurmJsonAt(value, {"set"});
  const json& infinite = SlurmJsonAt(value, {"infinite"});
  if (set == json(false) || infinite == json(true)) return "";
  const json& number = SlurmJsonAt(value, {"number"});
  return number.is_number() ? SlurmJsonText(number) : "";
}

std::string SlurmJsonJoined(const json& value, char separator) {
  if (!value.is_array()) return SlurmJsonText(value);
  std::string text;
  for (const json& part : value) {
    const std::string word = SlurmJsonText(part);
    if (word.empty()) continue;
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string ArrayTasksText(std::string_view text) {
  const auto bits = BitsOf(text);
  if (!bits || bits->empty()) return std::string(text);
  const std::int64_t step = EvenStep(*bits);
  if (step > 1 && bits->back() - bits->front() > 10) {
    return std::to_string(bits->front()) + "-" + std::to_string(bits->back()) + ":" +
           std::to_string(step);
  }
  std::string list;
  for (std::size_t i = 0; i < bits->size();) {
    std::size_t last = i;
    while (last + 1 < bits->size() && (*bits)[last + 1] == (*bits)[last] + 1) ++last;
    list += (list.empty() ? "" : ",") + std::to_string((*bits)[i]);
    if (last > i) list += "-" + std::to_string((*bits)[last]);
    i = last + 1;
  }
  return list;
}

std::vector<std::string> SacctFieldsOfJob(const json& job) {
  Fields fields(kSacctFieldCount);
  ReadPaths(job,
            {{SacctField::kCluster, {"cluster"}},
             {SacctField::kPartition, {"partition"}},
             {SacctField::kQos, {"qos"}},
             {SacctField::kAccount, {"account"}},
             {SacctField::kUser, {"user"}},
             {SacctField::kSubmit, {"time", "submission"}},
             {SacctField::kStart, {"time", "start"}},
             {SacctField::kEnd, {"time", "end"}},
             {SacctField::kElapsed, {"time", "elapsed"}},
             {SacctField::kSuspended, {"time", "suspended"}},
             {SacctField::kEligible, {"time", "eligible"}},
             {SacctField::kTimeLimitRaw, {"time", "limit"}},
             {SacctField::kNodes, {"allocation_nodes"}},
             {SacctField::kPriority, {"priority"}},
             {SacctField::kRestarts, {"restart_cnt"}},
             {SacctField::kCpus, {"required", "CPUs"}},
             {SacctField::kNodeList, {"nodes"}},
             {SacctField::kJobName, {"name"}},
             {SacctField::kWcKey, {"wckey", "wckey"}},
             {SacctField::kComment, {"comment", "job"}},
             {SacctField::kAdminComment, {"comment", "administrator"}},
             {SacctField::kReason, {"state", "reason"}}},
            fields);
  At(fields, SacctField::kJobId) = JobIdText(job);
  At(fields, SacctField::kState) = SlurmJsonJoined(SlurmJsonAt(job, {"state", "current"}), ',');
  At(fields, SacctField::kReqMem) = RequestedMemoryText(job);
  At(fields, SacctField::kAllocTres) = TresText(SlurmJsonAt(job, {"tres", "allocated"}));
  At(fields, SacctField::kReqTres) = TresText(SlurmJsonAt(job, {"tres", "requested"}));
  // 22.05 writes the number 0 where there is no reservation.
  const json& reservation = SlurmJsonAt(job, {"reservation", "name"});
  if (reservation.is_string()) {
    At(fields, SacctField::kReservation) = reservation.get<std::string>();
  }
  return fields;
}

std::vector<std::string> SacctFieldsOfStep(const json& step,
                                           const std::vector<std::string>& job_fields) {
  Fields fields(kSacctFieldCount);
  ReadPaths(step,
            {{SacctField::kStart, {"time", "start"}},
             {SacctField::kEnd, {"time", "end"}},
             {SacctField::kElapsed, {"time", "elapsed"}},
             {SacctField::kTasks, {"tasks", "count"}},
             {SacctField::kNodeList, {"nodes", "range"}}},
            fields);
  const auto of_job = [&](SacctField field) { return job_fields[static_cast<std::size_t>(field)]; };
  // "900001.batch", or "batch" alone in 22.05.
  const std::string id = SlurmJsonText(SlurmJsonAt(step, {"step", "id"}));
  At(fields, SacctField::kJobId) = of_job(SacctField::kJobId) + "." + id.substr(id.rfind('.') + 1);
  At(fields, SacctField::kCluster) = of_job(SacctField::kCluster);
  At(fields, SacctField::kState) = SlurmJsonJoined(SlurmJsonAt(step, {"state"}), ',');
  At(fields, SacctField::kAllocTres) = TresText(SlurmJsonAt(step, {"tres", "allocated"}));
  At(fields, SacctField::kUsageAve) = TresText(SlurmJsonAt(step, {"tres", "requested", "average"}));
  At(fields, SacctField::kUsageTot) = TresText(SlurmJsonAt(step, {"tres", "requested", "total"}));
  return fields;
}

}  // namespace plimsoll
