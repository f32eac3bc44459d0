#include "cli/training_targets.h"

#include <algorithm>
#include <limits>
#include <set>

#include "catalog/yaml_fields.h"
#include "cli/commit_options.h"
#include "cli/plan_input.h"
#include "config/duration.h"
#include "ingest/trace/hour_rows.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kGpusMax = 10'000'000;

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

// A share above 0, in percent.
std::int64_t ShareOf(YamlFields& fields, const std::string& key, std::int64_t fallback) {
  const std::string text = fields.Text(key);
  if (text.empty()) return fallback;
  const Result<std::int64_t> share = ShareOption(key, text);
  if (share && *share > 0) return *share;
  fields.Problem(key, "'" + text + "' is no share above 0 such as 95%");
  return fallback;
}

Duration TimeOf(YamlFields& fields, const std::string& key, Duration fallback) {
  const std::string text = fields.Text(key);
  if (text.empty()) return fallback;
  const Result<Duration> time = SpanOption(key, text);
  if (time) return *time;
  fields.Problem(key, "'" + text + "' is no time such as 30m, 4h or 1h30m");
  return fallback;
}

void CheckGpus(YamlFields& fields, const std::string& key, std::int64_t gpus) {
  if (gpus > kGpusMax) fields.Problem(key, "is more than " + std::to_string(kGpusMax) + " GPUs");
}

ClassText ReadClass(YamlFields& fields) {
  ClassText one;
  one.name = fields.RequiredText("name");
  one.queue = fields.Text("queue");
  one.gpus_min = fields.Integer("gpus_min", 0, 0);
  one.gpus_max = fields.Integer("gpus_max", 1, 0);
  CheckGpus(fields, "gpus_min", one.gpus_min);
  CheckGpus(fields, "gpus_max", one.gpus_max);
  if (one.gpus_max > 0 && one.gpus_max < one.gpus_min) {
    fields.Problem("gpus_max", "is below gpus_min: no job is in this class");
  }
  const bool has_time = !fields.Text("within").empty();
  if (has_time) one.within = TimeOf(fields, "within", {});
  one.share = ShareOf(fields, "share", has_time ? 950'000'000 : 0);
  if (one.share > 0 && !has_time) {
    fields.Problem("within", "is missing beside share: the time in which they start");
  }
  return one;
}

GangText ReadGang(YamlFields& fields) {
  GangText gang;
  gang.gpus = fields.Integer("gpus", 1, 0);
  CheckGpus(fields, "gpus", gang.gpus);
  if (gang.gpus == 0) fields.Problem("gpus", "is missing: how many GPUs start together");
  gang.gpus_per_pod = fields.Integer("pod_gpus", 1, 0);
  gang.domain = fields.Text("domain");
  gang.flavor = fields.Text("flavor");
  gang.queue = fields.Text("queue");
  gang.name = fields.Text("name");
  gang.priority = fields.Integer("priority", std::numeric_limits<std::int32_t>::min(), 0);
  gang.run = TimeOf(fields, "run", gang.run);
  gang.within = TimeOf(fields, "within", Duration());
  if (fields.Text("within").empty()) fields.Problem("within", "is missing: 4h, or 0 for at once");
  gang.share = ShareOf(fields, "probability", 0);
  return gang;
}

template <class Read>
void Each(YamlFields& fields, const std::string& file, const std::string& key,
          std::vector<Rejection>& problems, const Read& read) {
  const std::vector<YAML::Node> maps = fields.Maps(key);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    YamlFields of(maps[i], file, fields.PathOf(key, i), problems);
    read(of);
    of.Finish();
  }
}

// A whole number of a probe's part.
Result<std::int64_t> WholeOf(const std::string& key, const std::string& text, std::int64_t least) {
  if (const auto number = ParseWhole(text, least, kGpusMax)) return *number;
  return Wrong("--probe: " + key + "=" + text + " is no whole number from " +
               std::to_string(least) + " to " + std::to_string(kGpusMax));
}

Status SetPart(const std::string& key, const std::string& text, GangText& gang) {
  if (key == "gpus") {
    PLIMSOLL_TRY(gang.gpus, WholeOf(key, text, 1));
  } else if (key == "pod_gpus") {
    PLIMSOLL_TRY(gang.gpus_per_pod, WholeOf(key, text, 1));
  } else if (key == "priority") {
    PLIMSOLL_TRY(gang.priority, WholeOf(key, text, -kGpusMax));
  } else if (key == "within") {
    PLIMSOLL_TRY(gang.within, SpanOption("--probe: within", text));
  } else if (key == "run") {
    PLIMSOLL_TRY(gang.run, SpanOption("--probe: run", text));
  } else if (key == "probability") {
    PLIMSOLL_TRY(gang.share, ShareOption("--probe: probability", text));
  } else if (key == "domain") {
    gang.domain = text;
  } else if (key == "flavor") {
    gang.flavor = text;
  } else if (key == "queue") {
    gang.queue = text;
  } else if (key == "name") {
    gang.name = text;
  } else {
    return Wrong("--probe: '" + key +
                 "' is none of gpus, within, domain, pod_gpus, flavor, queue, priority, run, "
                 "probability, name");
  }
  return Ok();
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

Result<std::uint32_t> Find(const std::string& what, const std::string& name,
                           const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  return Wrong(what + " '" + name + "' is not there; there is " + Joined(names));
}

std::string NameOf(const GangText& gang) {
  if (!gang.name.empty()) return gang.name;
  std::string name = std::to_string(gang.gpus) + (gang.gpus == 1 ? " GPU" : " GPUs");
  if (!gang.flavor.empty()) name += " " + gang.flavor;
  if (!gang.domain.empty()) name += " in one " + gang.domain;
  return name + (gang.within == Duration() ? " at once" : " within " + FormatDuration(gang.within));
}

Result<GangTarget> BindGang(const GangText& text, const TargetNames& names) {
  GangTarget gang;
  gang.name = NameOf(text);
  gang.within = text.within;
  gang.share = text.share;
  const std::int64_t in_pod =
      text.gpus_per_pod > 0 ? text.gpus_per_pod : std::min(text.gpus, names.gpus_per_node);
  if (in_pod < 1 || in_pod > kGpusPerNodeMax || text.gpus % in_pod != 0) {
    return Wrong(gang.name + ": " + std::to_string(text.gpus) + " GPUs are no whole pods of " +
                 std::to_string(in_pod) + "; give pod_gpus, the GPUs of one pod");
  }
  gang.job.name = gang.name;
  gang.job.shape.gpus = static_cast<std::int32_t>(in_pod);
  gang.job.pods = gang.job.pods_min = static_cast<std::int32_t>(text.gpus / in_pod);
  gang.job.priority = static_cast<std::int32_t>(text.priority);
  gang.job.run = text.run;
  gang.job.time_limit = text.run;
  if (!text.domain.empty()) {
    gang.job.topology.mode = TopologyMode::kRequired;
    PLIMSOLL_TRY(gang.job.topology.level, Find("domain", text.domain, names.levels));
  }
  if (!text.flavor.empty()) {
    PLIMSOLL_TRY(const std::uint32_t flavor, Find("flavor", text.flavor, names.flavors));
    gang.job.shape.flavors = FlavorSet{1} << flavor;
  }
  if (!text.queue.empty()) {
    PLIMSOLL_TRY(gang.job.queue, Find("queue", text.queue, names.queues));
  }
  return gang;
}

}  // namespace

Result<TargetFile> ReadTargets(const std::string& file, const std::string& text) {
  std::vector<Rejection> problems;
  TargetFile out;
  if (const std::optional<YAML::Node> root = ParseYaml(file, text, problems)) {
    YamlFields fields(*root, file, "", problems);
    Each(fields, file, "classes", problems, [&](YamlFields& of) {
      out.classes.push_back(ReadClass(of));
      const std::string& name = out.classes.back().name;
      const auto same = [&](const ClassText& one) { return one.name == name; };
      if (std::count_if(out.classes.begin(), out.classes.end(), same) > 1) {
        of.Problem("name", "'" + name + "' is given to two classes");
      }
    });
    Each(fields, file, "gangs", problems,
         [&](YamlFields& of) { out.gangs.push_back(ReadGang(of)); });
    out.deadline_share = ShareOf(fields, "deadlines", 0);
    out.confidence = ShareOf(fields, "confidence", out.confidence);
    if (out.confidence < 500'000'000 || out.confidence > 999'999'000) {
      fields.Problem("confidence", "is not from 50% to 99.9999%");
    }
    if (problems.empty() && out.classes.empty() && out.gangs.empty() && out.deadline_share == 0) {
      fields.Problem("classes", "nothing is asked for: give classes, gangs or deadlines");
    }
    fields.Finish();
  }
  if (problems.empty()) return out;
  LineErrors errors(file);
  for (const Rejection& problem : problems) {
    errors.Add(problem.line, (problem.field.empty() ? "" : problem.field + ": ") + problem.reason);
  }
  return errors.ToError();
}

Result<GangText> ParseProbe(const std::string& text) {
  GangText gang;
  bool has_time = false;
  std::set<std::string> given;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      return Wrong("--probe: '" + part + "' is no part such as gpus=32; give " +
                   "gpus=32,domain=rack,within=4h");
    }
    if (!given.insert(part.substr(0, equals)).second) {
      return Wrong("--probe: " + part.substr(0, equals) + " is given twice: leave one");
    }
    PLIMSOLL_RETURN_IF_ERROR(SetPart(part.substr(0, equals), part.substr(equals + 1), gang));
    has_time = has_time || part.starts_with("within=");
    begin = end + 1;
  }
  if (gang.gpus == 0) return Wrong("--probe: gpus is missing, such as gpus=32");
  if (!has_time) return Wrong("--probe: within is missing, such as within=4h; 0 is at once");
  return gang;
}

Result<SizingTargets> BindTargets(const TargetFile& file, const TargetNames& names) {
  SizingTargets targets;
  targets.deadline_share = file.deadline_share;
  targets.confidence = file.confidence;
  for (const ClassText& text : file.classes) {
    JobClass one;
    one.name = text.name;
    one.gpus_min = text.gpus_min;
    if (text.gpus_max > 0) one.gpus_max = text.gpus_max;
    one.within = text.within;
    one.share = text.share;
    if (!text.queue.empty()) {
      PLIMSOLL_TRY(one.queue, Find(text.name + ": queue", text.queue, names.queues));
    }
    targets.classes.push_back(std::move(one));
  }
  for (const GangText& text : file.gangs) {
    PLIMSOLL_TRY(GangTarget gang, BindGang(text, names));
    targets.gangs.push_back(std::move(gang));
  }
  return targets;
}

}  // namespace plimsoll
