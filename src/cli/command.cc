#include "cli/command.h"

#include <algorithm>
#include <utility>

namespace plimsoll {

CommandOption CommandOption::Flag(std::string names, std::string help, bool* target) {
  return {std::move(names), "", std::move(help), target};
}

CommandOption CommandOption::Text(std::string names, std::string value, std::string help,
                                  std::string* target) {
  return {std::move(names), std::move(value), std::move(help), target};
}

CommandOption CommandOption::Number(std::string names, std::string value, std::string help,
                                    std::int64_t* target) {
  return {std::move(names), std::move(value), std::move(help), target};
}

CommandOption CommandOption::List(std::string names, std::string value, std::string help,
                                  std::vector<std::string>* target) {
  return {std::move(names), std::move(value), std::move(help), target};
}

CommandOption CommandOption::Argument(std::string name, std::string help, std::string* target) {
  return {name, name, std::move(help), target};
}

CommandOption CommandOption::Arguments(std::string name, std::string help,
                                       std::vector<std::string>* target) {
  return {name, name, std::move(help), target};
}

CommandOption CommandOption::OneOf(std::vector<std::string> values) && {
  choices = std::move(values);
  return std::move(*this);
}

CommandOption CommandOption::Required() && {
  required = true;
  return std::move(*this);
}

CommandOption CommandOption::File() && {
  is_file = true;
  return std::move(*this);
}

CommandOption CommandOption::Range(std::int64_t from, std::int64_t to) && {
  least = from;
  most = to;
  return std::move(*this);
}

CommandOption CommandOption::From(std::int64_t from) && {
  least = from;
  return std::move(*this);
}

std::vector<std::string> CommandOption::Names() const {
  std::vector<std::string> split;
  std::size_t begin = 0;
  while (begin <= names.size()) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    split.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  std::stable_sort(split.begin(), split.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return split;
}

std::vector<CommandOption> OptionsOf(CommonSet set, CommonOptions& values) {
  std::vector<CommandOption> options;
  if (set >= CommonSet::kFacts) {
    options.push_back(
        CommandOption::List(
            "--from", "KIND=FILE",
            "Read FILE instead of the database; KIND is prices, focus, kubernetes, slurm, "
            "prometheus, runs or requests, or KIND:CLUSTER; may be given again",
            &values.from)
            .File());
  }
  if (set >= CommonSet::kStore) {
    options.push_back(
        CommandOption::Text("--db", "PATH", "The database (default plimsoll.duckdb)", &values.db)
            .File());
    options.push_back(CommandOption::Text("--config", "PATH",
                                          "The configuration (default plimsoll.yaml, if it is "
                                          "there)",
                                          &values.config)
                          .File());
  }
  if (set >= CommonSet::kOutput) {
    options.push_back(
        CommandOption::Text("--format,-f", "FORMAT", "How to print the answer", &values.format)
            .OneOf({"table", "json", "csv"}));
    options.push_back(
        CommandOption::Flag("--verbose,-v", "Say on stderr what is being done", &values.verbose));
    options.push_back(
        CommandOption::Flag("--quiet,-q", "Say nothing on stderr but errors", &values.quiet));
  }
  return options;
}

}  // namespace plimsoll
