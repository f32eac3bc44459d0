#include "ingest/slurm/sacct_table.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "ingest/slurm/slurm_state.h"

namespace plimsoll {
namespace {

constexpr std::string_view kDocumented =
    "jobid|jobidraw|cluster|partition|qos|account|group|gid|user|uid|submit|eligible|start|end|"
    "elapsed|exitcode|state|nnodes|ncpus|reqcpus|reqmem|reqtres|alloctres|timelimit|nodelist|"
    "jobname";
constexpr std::size_t kDocumentedState = 16;

constexpr std::pair<std::string_view, SacctField> kNames[] = {
    {"jobid", SacctField::kJobId},
    {"cluster", SacctField::kCluster},
    {"partition", SacctField::kPartition},
    {"qos", SacctField::kQos},
    {"account", SacctField::kAccount},
    {"user", SacctField::kUser},
    {"submit", SacctField::kSubmit},
    {"start", SacctField::kStart},
    {"end", SacctField::kEnd},
    {"elapsed", SacctField::kElapsed},
    {"elapsedraw", SacctField::kElapsed},
    {"state", SacctField::kState},
    {"ncpus", SacctField::kCpus},
    {"alloccpus", SacctField::kCpus},
    {"reqmem", SacctField::kReqMem},
    {"reqtres", SacctField::kReqTres},
    {"alloctres", SacctField::kAllocTres},
    {"nodelist", SacctField::kNodeList},
    {"jobname", SacctField::kJobName},
    {"wckey", SacctField::kWcKey},
    {"comment", SacctField::kComment},
    {"reservation", SacctField::kReservation},
    {"reason", SacctField::kReason},
    {"admincomment", SacctField::kAdminComment},
    {"tresusageinave", SacctField::kUsageAve},
    {"tresusageintot", SacctField::kUsageTot},
    {"ntasks", SacctField::kTasks},
    {"suspended", SacctField::kSuspended},
    {"jobidraw", SacctField::kJobIdRaw},
    {"eligible", SacctField::kEligible},
    {"priority", SacctField::kPriority},
    {"nnodes", SacctField::kNodes},
    {"timelimit", SacctField::kTimeLimit},
    {"timelimitraw", SacctField::kTimeLimitRaw},
    {"restarts", SacctField::kRestarts},
};

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool IsNameChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string_view FirstName(std::string_view line) {
  std::size_t length = 0;
  while (length < line.size() && IsNameChar(line[length])) ++length;
  return line.substr(0, length);
}

std::vector<std::string_view> SplitAt(std::string_view line, std::string_view delimiter,
                                      std::size_t fields_max) {
  std::vector<std::string_view> fields;
  while (fields.size() + 1 < fields_max) {
    const std::size_t at = line.find(delimiter);
    if (at == std::string_view::npos) break;
    fields.push_back(line.substr(0, at));
    line = line.substr(at + delimiter.size());
  }
  fields.push_back(line);
  return fields;
}

// The columns that a table lacks, for an error; "" if there are all.
std::string Missing(const SacctTable& table, SacctNeed need) {
  using Field = SacctField;
  struct Needed {
    const char* label;
    Field field, instead;  // either will do
  };
  const bool jobs = need == SacctNeed::kJobs;
  const Needed needed[] = {
      {"JobID", Field::kJobId, jobs ? Field::kJobIdRaw : Field::kJobId},
      {"State", Field::kState, Field::kState},
      {"Start", Field::kStart, Field::kStart},
      {"AllocTRES", Field::kAllocTres, jobs ? Field::kReqTres : Field::kAllocTres},
      {"NodeList", Field::kNodeList, jobs ? Field::kState : Field::kNodeList},
      {"Elapsed", Field::kElapsed, Field::kEnd}};
  std::string missing;
  for (const Needed& column : needed) {
    if (table.Has(column.field) || table.Has(column.instead)) continue;
    missing += std::string(missing.empty() ? "" : ", ") + column.label;
  }
  return missing;
}

}  // namespace

const char* SacctTable::DocumentedFormat() { return kDocumented.data(); }

bool SacctTable::IsHeader(std::string_view line) {
  const std::string first = Lower(FirstName(line));
  const bool known =
      first == "jobidraw" || std::any_of(std::begin(kNames), std::end(kNames),
                                         [&](const auto& name) { return name.first == first; });
  return known && Lower(line).find("jobid") != std::string::npos;
}

bool SacctTable::IsDocumentedRow(std::string_view line) {
  const SacctTable table = Documented();
  const auto fields = SplitAt(line, "|", table.columns_);
  return fields.size() == table.columns_ && !line.empty() && line[0] >= '0' && line[0] <= '9' &&
         ParseSlurmState(fields[kDocumentedState]).has_value();
}

SacctTable SacctTable::Documented() { return *FromHeader(kDocumented); }

SacctTable SacctTable::EveryField() {
  SacctTable table;
  table.columns_ = kSacctFieldCount;
  for (std::size_t field = 0; field < kSacctFieldCount; ++field) table.index_[field] = field;
  return table;
}

Result<SacctTable> SacctTable::FromHeader(std::string_view header, SacctNeed need) {
  SacctTable table;
  const std::size_t name = FirstName(header).size();
  std::size_t after = name;
  while (after < header.size() && !IsNameChar(header[after])) ++after;
  if (after > name) table.delimiter_ = header.substr(name, after - name);
  std::vector<std::string_view> columns =
      SplitAt(header, table.delimiter_, static_cast<std::size_t>(-1));
  if (columns.size() > 1 && columns.back().empty()) {
    table.trailing_delimiter_ = true;
    columns.pop_back();
  }
  table.columns_ = columns.size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string lower = Lower(columns[i]);
    const auto known = std::find_if(std::begin(kNames), std::end(kNames),
                                    [&](const auto& entry) { return entry.first == lower; });
    if (known == std::end(kNames)) {
      table.unused_.emplace_back(columns[i]);
    } else if (std::size_t& at = table.index_[static_cast<std::size_t>(known->second)];
               at == kAbsent) {
      at = i;
    }
  }
  const std::string last = Lower(columns.back());
  table.last_is_free_text_ = last == "jobname" || last == "comment" || last == "admincomment" ||
                             last == "systemcomment" || last == "submitline" || last == "workdir";
  const std::string missing = Missing(table, need);
  if (!missing.empty()) {
    return Error{ErrorCode::kBadData,
                 "sacct output lacks the columns " + missing + "; add them to --format"};
  }
  return table;
}

Result<std::vector<std::string_view>> SacctTable::Split(std::string_view line) const {
  if (trailing_delimiter_ && line.ends_with(delimiter_)) line.remove_suffix(delimiter_.size());
  const std::size_t fields_max = last_is_free_text_ ? columns_ : static_cast<std::size_t>(-1);
  std::vector<std::string_view> fields = SplitAt(line, delimiter_, fields_max);
  if (fields.size() != columns_) {
    return Error{ErrorCode::kBadData,
                 "the row has " + std::to_string(fields.size()) + " fields, the header " +
                     std::to_string(columns_) +
                     "; put JobName last in --format, as its text may hold the delimiter"};
  }
  return fields;
}

std::string_view SacctTable::Get(const std::vector<std::string_view>& fields,
                                 SacctField field) const {
  const std::size_t at = index_[static_cast<std::size_t>(field)];
  return at < fields.size() ? fields[at] : std::string_view();
}

bool SacctTable::Has(SacctField field) const {
  return index_[static_cast<std::size_t>(field)] != kAbsent;
}

}  // namespace plimsoll
