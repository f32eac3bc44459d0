#include "ingest/base64.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Base64Test, DecodesWhatTheRfcLists) {
  // RFC 4648, section 10.
  EXPECT_EQ(*DecodeBase64(""), "");
  EXPECT_EQ(*DecodeBase64("Zg=="), "f");
  EXPECT_EQ(*DecodeBase64("Zm8="), "fo");
  EXPECT_EQ(*DecodeBase64("Zm9v"), "foo");
  EXPECT_EQ(*DecodeBase64("Zm9vYg"), "foob");
  EXPECT_EQ(*DecodeBase64("Zm9v\nYmFy"), "foobar");
  for (const char* broken : {"Z", "Zg===", "Zg==Zg", "Z%g="}) {
    EXPECT_FALSE(DecodeBase64(broken)) << broken;
  }
}

}  // namespace
}  // namespace plimsoll
