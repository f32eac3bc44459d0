#include "ingest/slurm/sreport.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace plimsoll {
namespace {

using Words = std::vector<std::string>;

std::string Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

Words SplitAt(std::string_view line, char separator) {
  Words words;
  while (true) {
    const std::size_t at = line.find(separator);
    words.push_back(Trimmed(line.substr(0, at)));
    if (at == std::string_view::npos) return words;
    line = line.substr(at + 1);
  }
}

// The widths of a table's columns, from its line of dashes: "--------- --------".
std::vector<std::pair<std::size_t, std::size_t>> ColumnsOf(std::string_view dashes) {
  std::vector<std::pair<std::size_t, std::size_t>> columns;
  std::size_t at = 0;
  while ((at = dashes.find('-', at)) != std::string_view::npos) {
    const std::size_t end = std::min(dashes.find_first_not_of('-', at), dashes.size());
    columns.emplace_back(at, end - at);
    at = end;
  }
  return columns;
}

// What a title is in any of the two forms: "TRES Name", "TresName", "PLND Dow", "Allocate".
// Null if it is none of sreport's.
std::optional<std::string> ColumnName(std::string_view title) {
  std::string letters;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) != 0) letters += static_cast<char>(std::tolower(byte));
  }
  constexpr std::pair<std::string_view, const char*> kNames[] = {{"cluster", "Cluster"},
                                                                 {"account", "Account"},
                                                                 {"login", "Login"},
                                                                 {"propername", "ProperName"},
                                                                 {"tresname", "TresName"},
                                                                 {"allocated", "Allocated"},
                                                                 {"plnddown", "PlannedDown"},
                                                                 {"plandown", "PlannedDown"},
                                                                 {"planneddown", "PlannedDown"},
                                                                 {"planned", "Planned"},
                                                                 {"idle", "Idle"},
                                                                 {"down", "Down"},
                                                                 {"reported", "Reported"},
                                                                 {"used", "Used"},
                                                                 {"overcommitted", "OverCommitted"},
                                                                 {"reserved", "Planned"},
                                                                 {"energy", "Energy"}};
  for (const auto& [name, column] : kNames) {
    // A cut title keeps at least seven letters of a name; "planned" alone is its own.
    if (letters == name ||
        (letters.size() >= 7 && letters != "planned" && name.starts_with(letters))) {
      return column;
    }
  }
  return std::nullopt;
}

// The columns of a header line; null if one of its titles is not known.
std::optional<Words> HeaderOf(const Words& titles) {
  Words names;
  for (const std::string& title : titles) {
    const auto name = ColumnName(title);
    if (!name) return std::nullopt;
    names.push_back(*name);
  }
  const auto planned = std::find(names.begin(), names.end(), "Planned");
  if (std::count(names.begin(), names.end(), "Planned") == 2) *planned = "PlannedDown";
  if (std::find(names.begin(), names.end(), "Cluster") == names.end()) return std::nullopt;
  return names;
}

SreportRow RowOf(const Words& names, const Words& fields) {
  SreportRow row;
  for (std::size_t i = 0; i < names.size(); ++i) {
    // "770(12.51%)" where percents are asked for beside.
    const std::string value = fields[i].substr(0, fields[i].find('('));
    if (names[i] == "Cluster") {
      row.cluster = fields[i];
    } else if (names[i] == "Account") {
      row.account = fields[i];
    } else if (names[i] == "Login") {
      row.login = fields[i];
    } else if (names[i] == "TresName") {
      row.tres = fields[i];
    } else if (names[i] != "ProperName") {
      row.values[names[i]] = value;
    }
  }
  return row;
}

class Parser {
 public:
  explicit Parser(std::optional<Words> names) : names_(std::move(names)) {}

  Status Take(std::string_view line) {
    const std::string text = Trimmed(line);
    if (text.empty() || text.starts_with("#") || text.starts_with("$")) return Ok();
    if (text.find_first_not_of("- ") == std::string::npos) return TakeDashes(line);
    if (const std::size_t at = text.find("Usage reported in "); at == 0) {
      report_.unit = text.substr(text.rfind(' ') + 1);
      return Ok();
    }
    if (text.find("Utilization ") != std::string::npos && text.find('|') == std::string::npos) {
      return Ok();
    }
    const bool parsable = text.find('|') != std::string::npos;
    if (!parsable && columns_.empty()) {
      previous_ = line;
      return Ok();
    }
    const Words fields = parsable ? SplitAt(text, '|') : CutAt(line);
    if (parsable && fields.front() == "Cluster") {
      names_ = HeaderOf(fields);
      if (!names_) return Bad(text, "has a column that is not known");
      return Ok();
    }
    if (!names_) return Bad(text, "stands before a header; print without -n");
    if (fields.size() != names_->size()) return Bad(text, "has another number of columns");
    report_.rows.push_back(RowOf(*names_, fields));
    return Ok();
  }

  Result<Sreport> Finish() && {
    if (report_.rows.empty()) {
      return Error{ErrorCode::kBadData, "not a row of sreport's cluster reports was found"};
    }
    return std::move(report_);
  }

 private:
  static Status Bad(const std::string& line, const char* why) {
    return Error{ErrorCode::kBadData, "sreport's line '" + line.substr(0, 60) + "' " + why};
  }

  // The line above the dashes of a table is its header, cut at their widths.
  Status TakeDashes(std::string_view line) {
    if (previous_.empty()) return Ok();  // a rule around the title
    columns_ = ColumnsOf(line);
    names_ = HeaderOf(CutAt(previous_));
    if (!names_) return Bad(previous_, "has a column that is not known");
    previous_.clear();
    return Ok();
  }

  Words CutAt(std::string_view line) const {
    Words fields;
    for (const auto& [begin, width] : columns_) {
      fields.push_back(begin < line.size() ? Trimmed(line.substr(begin, width)) : "");
    }
    return fields;
  }

  Sreport report_;
  std::optional<Words> names_;
  std::vector<std::pair<std::size_t, std::size_t>> columns_;
  std::string previous_;
};

}  // namespace

bool IsSreport(std::string_view first_line) {
  const std::string line = Trimmed(first_line);
  if (line.size() > 40 && line.find_first_not_of('-') == std::string::npos) return true;
  const Words fields = SplitAt(line, '|');
  const bool header = fields.size() > 2 && fields[0] == "Cluster" && HeaderOf(fields).has_value();
  // Without a header: "hpc|gres/gpu|9100|336|..." or "hpc|nlp|alice|gres/gpu|5900".
  const bool row =
      fields.size() > 3 && std::any_of(fields.begin() + 1, fields.end(), [](auto& f) {
        return f == "gres/gpu" || f.starts_with("gres/gpu:") || f == "cpu" || f == "billing";
      });
  return header || row;
}

Result<Sreport> ParseSreport(std::string_view text, std::string_view format) {
  std::optional<Words> names;
  if (!format.empty()) {
    names = HeaderOf(SplitAt(format, ','));
    if (!names) {
      return Error{ErrorCode::kInvalidArgument,
                   "'" + std::string(format) + "' is not a format of sreport's cluster reports"};
    }
  }
  Parser parser(std::move(names));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    PLIMSOLL_RETURN_IF_ERROR(parser.Take(text.substr(0, end)));
    text = end == text.size() ? std::string_view() : text.substr(end + 1);
  }
  return std::move(parser).Finish();
}

}  // namespace plimsoll
