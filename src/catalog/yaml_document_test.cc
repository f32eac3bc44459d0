#include "catalog/yaml_document.h"

#include <gtest/gtest.h>
#include <yaml-cpp/exceptions.h>

namespace plimsoll {
namespace {

TEST(YamlDocumentTest, OneDocumentIsAll) {
  for (const char* text :
       {"", "# nothing\n", "a: 1\n", "---\na: 1\n", "a: 1\n...\n", "{a: 1}\n\n"}) {
    EXPECT_EQ(LineAfterDocument(text), std::nullopt) << text;
  }
}

TEST(YamlDocumentTest, NamesTheLineOfWhatFollows) {
  EXPECT_EQ(LineAfterDocument("a: 1\n---\nb: 2\n"), 2);
  EXPECT_EQ(LineAfterDocument("{a: 1}\n,\n"), 2);
  EXPECT_EQ(LineAfterDocument(","), 1);
}

TEST(YamlDocumentTest, ThrowsWhatTheParserThrows) {
  EXPECT_THROW(LineAfterDocument("a: [1"), YAML::Exception);
}

}  // namespace
}  // namespace plimsoll
