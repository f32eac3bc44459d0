#include "catalog/yaml_document.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

namespace plimsoll {
namespace {

// Keeps the line where the last document began.
class DocumentStart : public YAML::EventHandler {
 public:
  int line() const { return line_; }
  void OnDocumentStart(const YAML::Mark& mark) override { line_ = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  int line_ = 1;
};

}  // namespace

std::optional<int> LineAfterDocument(const std::string& text) {
  std::istringstream input(text);
  YAML::Parser parser(input);
  DocumentStart start;
  parser.HandleNextDocument(start);
  if (!parser) return std::nullopt;
  try {
    parser.HandleNextDocument(start);
  } catch (const YAML::Exception& e) {
    return e.mark.line + 1;  // it is not YAML, and stands after the document all the same
  }
  return start.line();
}

}  // namespace plimsoll
