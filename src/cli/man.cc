#include "cli/man.h"

#include <algorithm>

#include "cli/help.h"

namespace plimsoll {
namespace {

// Text as troff prints it: backslashes and dashes escaped, no line begins with a control.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
    if (escaped.size() == 1 && (c == '.' || c == '\'')) escaped.insert(0, "\\&");
  }
  return escaped;
}

void AddParagraphs(std::string& page, const std::string& text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    page += line.empty() ? ".PP\n" : Escaped(line) + "\n";
    begin = end + 1;
  }
}

void AddExamples(std::string& page, const std::string& example) {
  if (example.empty()) return;
  page += ".PP\n.nf\n";
  std::size_t begin = 0;
  while (begin < example.size()) {
    const std::size_t end = std::min(example.find('\n', begin), example.size());
    page += Escaped(example.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  page += ".fi\n";
}

void AddOption(std::string& page, const std::string& head, const std::string& help) {
  page += ".TP\n\\fB" + Escaped(head) + "\\fR\n" + Escaped(help) + ".\n";
}

void AddCommand(std::string& page, const ParsedCommand& called) {
  const Command& command = called.command();
  page += ".SS \"" + Escaped(UsageLine(called)) + "\"\n" + Escaped(command.summary) + ".\n";
  if (!command.about.empty()) {
    page += ".PP\n";
    AddParagraphs(page, command.about);
  }
  for (const CommandOption& option : AllOptionsOf(command)) {
    AddOption(page, OptionHead(option), OptionHelp(option));
  }
  AddExamples(page, command.example);
}

constexpr const char* kTail = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
A check failed: a guard, a budget or a tie\-out. The output says which.
.TP
2
The command line is wrong.
.TP
3
An input file, the configuration or the database's content is wrong.
.TP
4
A dependency did not answer, or a resource is busy or full. Try again later.
.TP
70
A bug in plimsoll.
.SH FILES
.TP
plimsoll.yaml
The configuration, in the current folder. \fBplimsoll init\fR writes one.
.TP
plimsoll.duckdb
The database, in the folder of the configuration.
.SH ENVIRONMENT
.TP
NO_COLOR
If set and not empty, output is never coloured.
.TP
COLUMNS
Width of the terminal, if it cannot be asked.
.TP
PROMETHEUS_URL
Where \fBplimsoll init\fR looks for Prometheus first.
)";

}  // namespace

std::string ManPage(const Command& root, const std::string& version) {
  std::string page = ".TH PLIMSOLL 1 \"\" \"Plimsoll " + version + "\" \"User Commands\"\n";
  page += ".SH NAME\nplimsoll \\- " + Escaped(root.summary) + "\n";
  page += ".SH SYNOPSIS\n.B plimsoll\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n";
  AddParagraphs(page, root.about);
  page += ".TP\n\\fB\\-\\-help, \\-h\\fR\nPrint the help of a command.\n";
  page += ".TP\n\\fB\\-\\-version\\fR\nPrint the version.\n.SH COMMANDS\n";
  VisitCommands(root, [&](const ParsedCommand& called) {
    if (called.path.size() > 1) AddCommand(page, called);
  });
  page += kTail;
  page += ".SH EXAMPLES\n";
  AddExamples(page, root.example);
  return page;
}

}  // namespace plimsoll
