#include "ledger/fields.h"

#include <gtest/gtest.h>

#include <set>

namespace plimsoll {
namespace {

TEST(FieldsTest, NamesAreDistinctAndExplained) {
  std::set<std::string> names;
  for (const LedgerField& field : LedgerFields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_STRNE(field.help, "") << field.name;
    EXPECT_EQ(SqlOf(field).find('{'), std::string::npos) << field.name;
  }
}

TEST(FieldsTest, UnknownNameSuggestsTheNearest) {
  const auto found = FindLedgerField("cost_centre");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(found.error().message.find("did you mean 'cost_center'"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
