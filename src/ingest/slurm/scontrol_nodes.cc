#include "ingest/slurm/scontrol_nodes.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "ingest/slurm/tres.h"

namespace plimsoll {
namespace {

using Record = std::map<std::string, std::string>;

bool IsKey(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '/' || c == '_' || c == ':';
         });
}

std::string Get(const Record& record, const char* key) {
  const auto found = record.find(key);
  if (found == record.end() || found->second == "(null)" || found->second == "N/A") return "";
  return found->second;
}

std::optional<std::int64_t> GetCount(const Record& record, const char* key) {
  const std::string text = Get(record, key);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || count < 0 ||
      count > 1'000'000'000) {
    return std::nullopt;
  }
  return count;
}

std::string ModelName(const std::string& type, const Catalog* catalog) {
  const GpuModel* model = catalog == nullptr || type.empty() ? nullptr : catalog->FindGpu(type);
  return model == nullptr ? type : model->name;
}

// The one instant that a field means; null for none, several or text that is no time.
std::optional<Instant> TimeOf(const Record& record, const char* key,
                              const ScontrolContext& context) {
  const std::string text = Get(record, key);
  if (text.empty()) return std::nullopt;
  if (context.clock == nullptr) {
    const auto parsed = ParseInstant(text);
    return parsed ? std::optional(*parsed) : std::nullopt;
  }
  const auto read = context.clock->Read(text);
  return read && read->size() == 1 ? std::optional(read->front()) : std::nullopt;
}

// Where "[who@when]" begins in a reason; npos if it has none.
std::size_t ReasonStampAt(std::string_view text) {
  const std::size_t open = text.rfind('[');
  const bool closed = open != std::string_view::npos && text.find(']', open) != text.npos;
  return closed && text.find('@', open) != text.npos ? open : std::string_view::npos;
}

void AppendState(const Record& record, const ScontrolContext& context, ScontrolNodes& nodes) {
  const auto state = ParseNodeState(Get(record, "State"));
  if (!state) return;
  const std::string reason = Get(record, "Reason");
  const std::size_t stamp = std::min(ReasonStampAt(reason), reason.size());
  NodeSighting sighting{nodes.rows.node.back(), *state, reason.substr(0, stamp),
                        TimeOf(record, "ReasonAt", context)};
  while (sighting.reason.ends_with(' ')) sighting.reason.pop_back();
  for (const char* key : {"ReasonAt", "LastBusyTime", "SlurmdStartTime", "BootTime"}) {
    const auto time = TimeOf(record, key, context);
    if (time && (!sighting.latest || *sighting.latest < *time)) sighting.latest = time;
  }
  nodes.sightings.push_back(std::move(sighting));
}

std::string LabelsOf(const Record& record, const ScontrolContext& context) {
  std::map<std::string, std::string> labels;
  const auto add = [&](const char* label, const std::string& value) {
    if (!value.empty()) labels[label] = value;
  };
  add("slurm/state", Get(record, "State"));
  if (context.as_of) add("slurm/state.as-of", ToString(*context.as_of));
  add("slurm/partitions", Get(record, "Partitions"));
  add("slurm/features", Get(record, "ActiveFeatures"));
  add("slurm/reason", Get(record, "Reason"));
  if (context.as_of && labels.contains("slurm/reason")) {
    add("slurm/reason.as-of", ToString(*context.as_of));
  }
  return LabelsJson(labels);
}

}  // namespace

std::map<std::string, std::string> ParseScontrolRecord(std::string_view text) {
  Record record;
  // A reason may hold anything, "State=IDLE" too, so its stamp is looked for in the text.
  if (const std::size_t reason = text.find(" Reason="); reason != std::string_view::npos) {
    const std::string_view rest = text.substr(reason);
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (const std::size_t open = ReasonStampAt(line); open != std::string_view::npos) {
      const std::size_t at = line.find('@', open);
      record["ReasonAt"] = line.substr(at + 1, line.find(']', at) - at - 1);
    }
  }
  std::string* value = nullptr;
  std::string dropped;  // the value of a key that was already seen
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return record;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text = text.substr(end);
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos && IsKey(word.substr(0, equals))) {
      const auto [at, is_new] = record.emplace(word.substr(0, equals), word.substr(equals + 1));
      value = is_new ? &at->second : &dropped;
    } else if (value != nullptr) {
      *value += " " + std::string(word);
    }
  }
}

std::optional<ScontrolRefusal> AppendScontrolNode(const Record& record,
                                                  const ScontrolContext& context,
                                                  ScontrolNodes& all) {
  const std::string name = Get(record, "NodeName");
  if (name.empty()) return ScontrolRefusal{"NodeName", "the record names no node"};
  if (name.find_first_of("[,") != std::string::npos) {
    return ScontrolRefusal{
        "NodeName",
        "'" + name.substr(0, 40) + "' is a list, as slurm.conf has them; run 'scontrol show node'"};
  }
  const auto configured = ParseTres(Get(record, "CfgTRES"));
  if (!configured) return ScontrolRefusal{"CfgTRES", configured.error().message};
  const auto gres = ParseGres(Get(record, "Gres"));
  if (!gres) return ScontrolRefusal{"Gres", gres.error().message};
  // Without gres/gpu in AccountingStorageTRES only Gres knows the GPUs.
  const Tres& devices = configured->gpus > 0 ? *configured : *gres;
  const std::string type = GpuTypeOf(devices).empty() ? GpuTypeOf(*gres) : GpuTypeOf(devices);
  const auto cpus = GetCount(record, "CPUTot");
  const auto memory_mib = GetCount(record, "RealMemory");

  NodeBatch& nodes = all.rows;
  nodes.snapshot_id.push_back(0);
  nodes.cluster.push_back(context.cluster);
  nodes.node.push_back(name);
  nodes.provider_id.push_back(Get(record, "InstanceId"));
  nodes.instance_type.push_back(Get(record, "InstanceType"));
  nodes.region.emplace_back();
  nodes.zone.emplace_back();
  nodes.capacity_type.emplace_back("unknown");
  nodes.gpu_model.push_back(CardsOf(devices) > 0 ? ModelName(type, context.catalog) : "");
  nodes.gpu_count.push_back(CardsOf(devices));
  nodes.cpu_milli.push_back(cpus.value_or(configured->cpus.value_or(0)) * 1'000);
  nodes.memory_bytes.push_back(memory_mib ? *memory_mib << 20
                                          : configured->memory_bytes.value_or(0));
  nodes.begin.emplace_back();
  nodes.until.emplace_back();
  nodes.labels.push_back(LabelsOf(record, context));
  AppendState(record, context, all);
  return std::nullopt;
}

}  // namespace plimsoll
