#include "cli/context.h"

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/test_io.h"

namespace plimsoll {
namespace {

TEST(ContextTest, TheDatabaseIsTheOptionThenTheConfigurationThenTheDefault) {
  TestIo io("context");
  const Command root = RootCommand();
  CommonOptions options;
  EXPECT_EQ(*Context(io.io, options, root).db_path(), "plimsoll.duckdb");
  io.Write("plimsoll.yaml", "db: other.duckdb\n");
  EXPECT_EQ(*Context(io.io, options, root).db_path(), "other.duckdb");
  io.Write("etc/conf.yaml", "db: own.duckdb\n");
  options.config = "etc/conf.yaml";
  EXPECT_EQ(*Context(io.io, options, root).db_path(), "etc/own.duckdb");
  options.db = "given.duckdb";
  EXPECT_EQ(*Context(io.io, options, root).db_path(), "given.duckdb");
  options.db = ":memory:";
  EXPECT_EQ(*Context(io.io, options, root).db_path(), "");
}

TEST(ContextTest, ARunHasOneNow) {
  TestIo io("context");
  const Command root = RootCommand();
  Context context(io.io, {}, root);
  const Instant before = context.now();
  io.now = io.now + Hours(1);
  EXPECT_EQ(context.now(), before);
}

TEST(ContextTest, ConfiguredCatalogFilesAreReadAndTheirErrorsNameThem) {
  TestIo io("context");
  const Command root = RootCommand();
  io.Write("plimsoll.yaml", "catalog_files: [own.yaml]\ntime_zone: Europe/Berlin\n");
  Context context(io.io, {}, root);
  EXPECT_EQ(context.zone()->name(), "Europe/Berlin");
  const auto missing = context.catalog();
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("own.yaml"), std::string::npos);
  EXPECT_TRUE(Context(io.io, {}, root).config().has_value());
}

TEST(ContextTest, AnswersGoToStdoutAndSentencesToStderr) {
  TestIo io("context");
  const Command root = RootCommand();
  std::ostringstream out, err;
  io.io.out = &out;
  io.io.err = &err;
  CommonOptions options;
  options.format = "csv";
  Context context(io.io, options, root);
  Table table;
  table.columns = {{"a"}};
  table.rows = {{"1"}};
  context.Print(table);
  context.Warn("careful");
  EXPECT_EQ(out.str(), "a\r\n1\r\n");
  EXPECT_EQ(err.str(), "plimsoll: warning: careful\n");
}

}  // namespace
}  // namespace plimsoll
