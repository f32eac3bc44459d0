#include "ingest/kubernetes/json_items.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "base/limits.h"

namespace plimsoll {
namespace {

struct Outcome {
  std::vector<std::string> items;   // "path kind json"
  std::vector<std::string> broken;  // paths
  JsonEnd end;
};

Outcome Read(const std::string& text) {
  Outcome outcome;
  std::istringstream in(text);
  outcome.end = ReadJsonItems(
      in, {[&](const JsonItem& item, const nlohmann::json& value) {
             outcome.items.push_back(item.path + " " + item.list_kind + " " + value.dump());
           },
           [&](const std::string& path, const std::string&) { outcome.broken.push_back(path); }});
  return outcome;
}

using Texts = std::vector<std::string>;

TEST(JsonItemsTest, ListGivesItsItems) {
  const Outcome outcome = Read(R"({"kind":"PodList","items":[{"a":1},{"b":[{"c":[]}]}],"x":{}})");
  EXPECT_EQ(outcome.items,
            (Texts{R"(items[0] PodList {"a":1})", R"(items[1] PodList {"b":[{"c":[]}]})"}));
  EXPECT_EQ(outcome.end.error, "");
}

TEST(JsonItemsTest, SingleObjectArrayAndConcatenationAreRead) {
  EXPECT_EQ(Read(R"({"kind":"Pod","spec":{"items":[1]}})").items,
            (Texts{R"(  {"kind":"Pod","spec":{"items":[1]}})"}));
  EXPECT_EQ(Read(R"([{"a":1},{"b":2}])").items, (Texts{R"([0]  {"a":1})", R"([1]  {"b":2})"}));
  EXPECT_EQ(Read("{\"a\":1}\n{\"items\":[{\"b\":2}]} ").items,
            (Texts{R"(  {"a":1})", R"([1].items[0]  {"b":2})"}));
}

TEST(JsonItemsTest, ListWithoutItemsGivesNone) {
  EXPECT_TRUE(Read(R"({"items":[],"kind":"List"})").items.empty());
  EXPECT_TRUE(Read("").items.empty());
  EXPECT_TRUE(Read("  \n").items.empty());
}

TEST(JsonItemsTest, ElementsThatAreNoObjectsAreBrokenAndTheRestIsRead) {
  const Outcome outcome = Read(R"({"items":[1,[{"a":1}],{"b":2},null]})");
  EXPECT_EQ(outcome.broken, (Texts{"items[0]", "items[1]", "items[3]"}));
  EXPECT_EQ(outcome.items, (Texts{R"(items[2]  {"b":2})"}));
}

TEST(JsonItemsTest, TooDeepItemIsBrokenAndTheRestIsRead) {
  const std::string deep(static_cast<std::size_t>(kNestingMax) * 3, '[');
  const std::string close(deep.size(), ']');
  const Outcome outcome = Read("{\"items\":[{\"d\":" + deep + close + "},{\"b\":2}]}");
  EXPECT_EQ(outcome.broken, (Texts{"items[0]"}));
  EXPECT_EQ(outcome.items, (Texts{R"(items[1]  {"b":2})"}));
}

TEST(JsonItemsTest, CutTextKeepsWhatWasWholeAndSaysWhereItEnds) {
  const Outcome outcome = Read("{\"items\":[{\"a\":1},\n{\"b\":");
  EXPECT_EQ(outcome.items.size(), 1U);
  EXPECT_EQ(outcome.end.path, "items[1]");
  EXPECT_EQ(outcome.end.line, 2);
  EXPECT_FALSE(outcome.end.error.empty());
}

TEST(JsonItemsTest, TextThatIsNotJsonIsAnError) {
  EXPECT_FALSE(Read("apiVersion: v1\nkind: Pod\n").end.error.empty());
  EXPECT_FALSE(Read("{\"a\":1e999}").end.error.empty());
  EXPECT_FALSE(Read("{} trailing").end.error.empty());
}

}  // namespace
}  // namespace plimsoll
