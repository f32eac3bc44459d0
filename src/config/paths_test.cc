#include "config/paths.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(PathsTest, RelativePathsBeginAtTheConfigFile) {
  EXPECT_EQ(ResolvePath("bills/*.csv", "/etc/plimsoll/plimsoll.yaml", "/home/a"),
            "/etc/plimsoll/bills/*.csv");
  EXPECT_EQ(ResolvePath("bills/a.csv", "plimsoll.yaml", ""), "bills/a.csv");
  EXPECT_EQ(ResolvePath("../a.csv", "conf/plimsoll.yaml", ""), "conf/../a.csv");
}

TEST(PathsTest, AbsolutePathsStay) { EXPECT_EQ(ResolvePath("/a", "/etc/p.yaml", ""), "/a"); }

TEST(PathsTest, TildeIsTheHomeOnlyAtTheFront) {
  EXPECT_EQ(ResolvePath("~/bills", "/etc/p.yaml", "/home/a"), "/home/a/bills");
  EXPECT_EQ(ResolvePath("~", "/etc/p.yaml", "/home/a"), "/home/a");
  EXPECT_EQ(ResolvePath("~bob/bills", "/etc/p.yaml", "/home/a"), "/etc/~bob/bills");
  EXPECT_EQ(ResolvePath("a~/b", "p.yaml", "/home/a"), "a~/b");
}

}  // namespace
}  // namespace plimsoll
