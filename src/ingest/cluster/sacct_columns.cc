#include "ingest/cluster/sacct_columns.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "ingest/slurm/slurm_state.h"
#include "ingest/slurm/slurm_time.h"
#include "ingest/slurm/tres.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kTriesStock = 1'000'000;  // of a file, beside
constexpr std::int64_t kTriesARow = 100;         // that every row adds
constexpr std::int64_t kTriesMax = 20'000;       // of one row
constexpr std::size_t kExtraMax = 64;

std::vector<std::string_view> SplitAt(std::string_view line, char delimiter) {
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(delimiter, at), line.size());
    pieces.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return pieces;
}

bool IsFreeText(std::string_view column) {
  std::string lower(column);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* text : {"admincomment", "comment", "constraints", "container", "jobname",
                           "submitline", "systemcomment", "workdir", "reservation", "extra"}) {
    if (lower == text) return true;
  }
  return false;
}

bool IsTime(std::string_view text) {
  static const SlurmClock utc = *SlurmClock::Open("");
  return text == "Unknown" || text == "None" || text.empty() || utc.Read(text).has_value();
}

}  // namespace

SacctColumns::SacctColumns(std::string_view header, const SacctTable& table)
    : table_(table), tries_left_(kTriesStock) {
  const auto other = std::find_if(header.begin(), header.end(),
                                  [](unsigned char c) { return std::isalnum(c) == 0; });
  if (other != header.end()) delimiter_ = *other;
  const std::vector<std::string_view> names = SplitAt(header, delimiter_);
  columns_ = table.columns();
  for (std::size_t i = 0; i < names.size() && i < columns_; ++i) {
    if (IsFreeText(names[i])) free_texts_.push_back(i);
  }
}

bool SacctColumns::IsSound(const Fields& fields) const {
  const auto get = [&](SacctField field) { return table_.Get(fields, field); };
  if (!ParseSlurmState(get(SacctField::kState))) return false;
  for (const SacctField field :
       {SacctField::kSubmit, SacctField::kEligible, SacctField::kStart, SacctField::kEnd}) {
    if (!IsTime(get(field))) return false;
  }
  for (const SacctField field : {SacctField::kJobId, SacctField::kJobIdRaw}) {
    const std::string_view id = get(field);
    if (table_.Has(field) && (id.empty() || id[0] < '0' || id[0] > '9')) return false;
  }
  return ParseElapsed(get(SacctField::kElapsed)).has_value() &&
         ParseTres(get(SacctField::kAllocTres)).has_value() &&
         ParseTres(get(SacctField::kReqTres)).has_value();
}

bool SacctColumns::Try(const Fields& pieces, std::size_t next, std::size_t extra,
                       std::vector<std::size_t>& given, std::int64_t& tries, Fields& fields) const {
  if (next + 1 < free_texts_.size()) {
    for (std::size_t here = 0; here <= extra && tries > 0; ++here) {
      given[next] = here;
      if (Try(pieces, next + 1, extra - here, given, tries, fields)) return true;
    }
    return false;
  }
  if (--tries < 0) return false;
  given[next] = extra;
  fields.clear();
  std::size_t at = 0, text = 0;
  for (std::size_t column = 0; column < columns_; ++column) {
    const bool is_free = text < free_texts_.size() && free_texts_[text] == column;
    const std::size_t last = at + (is_free ? given[text++] : 0);
    const char* const begin = pieces[at].data();
    fields.emplace_back(
        begin, static_cast<std::size_t>(pieces[last].data() + pieces[last].size() - begin));
    at = last + 1;
  }
  return IsSound(fields);
}

std::optional<SacctColumns::Fields> SacctColumns::Cut(std::string_view line, Fields split) {
  tries_left_ += kTriesARow;
  if (!split.empty() && IsSound(split)) return split;
  const Fields pieces = SplitAt(line, delimiter_);
  if (pieces.size() <= columns_ || free_texts_.empty()) return std::nullopt;
  const std::size_t extra = pieces.size() - columns_;
  if (extra > kExtraMax) return std::nullopt;
  std::vector<std::size_t> given(free_texts_.size(), 0);
  const std::int64_t allowed = std::min(kTriesMax, tries_left_);
  std::int64_t tries = allowed;
  Fields fields;
  const bool found = Try(pieces, 0, extra, given, tries, fields);
  tries_left_ -= allowed - std::max<std::int64_t>(tries, 0);
  return found ? std::optional(std::move(fields)) : std::nullopt;
}

}  // namespace plimsoll
