#include "ingest/requests/request_group_sql.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(RequestGroupSqlTest, OnlyWhatIsAskedForAndThereIsAKey) {
  RequestGrouping grouping;
  grouping.length_edges = {0, 1};
  grouping.model = true;
  grouping.tenant = true;
  const RequestGroupSql sql({{RequestField::kArrival, "\"a\""}, {RequestField::kModel, "\"m\""}},
                            "chat", grouping);
  const ParquetQuery query = sql.Groups("x.parquet", {{Slo{}, {}}});
  EXPECT_EQ(query.path, "x.parquet");
  // The model and the verdict; the file has no tenants and no service.
  EXPECT_TRUE(query.rest.ends_with("GROUP BY 2, 9")) << query.rest;
  EXPECT_FALSE(sql.has_services());
  EXPECT_FALSE(sql.has_models());  // not for spans
  EXPECT_FALSE(sql.has_ids());
  EXPECT_EQ(sql.Spans("x.parquet").rest.find("hash("), std::string::npos);
}

TEST(RequestGroupSqlTest, NamesAreQuoted) {
  RequestGrouping grouping;
  grouping.length_edges = {0, 1};
  const RequestGroupSql sql({{RequestField::kArrival, "a"}, {RequestField::kService, "s"}},
                            "o'clock", grouping);
  EXPECT_NE(sql.Pairs("x").select.find("'o''clock'"), std::string::npos);
  Slo strict;
  strict.e2e_ns = 5;
  const ParquetQuery query = sql.Groups("x", {{Slo{}, {{"a'b", "m"}}}, {strict, {{"c", ""}}}});
  EXPECT_NE(query.rest.find("(service = 'a''b' AND model = 'm') THEN 0"), std::string::npos)
      << query.rest;
  EXPECT_NE(query.rest.find("(service = 'c' AND model = '') THEN CASE WHEN e2e > 5 THEN 1"),
            std::string::npos)
      << query.rest;
}

}  // namespace
}  // namespace plimsoll
