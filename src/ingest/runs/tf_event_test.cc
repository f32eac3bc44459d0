#include "ingest/runs/tf_event.h"

#include <gtest/gtest.h>

#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

// The message of a value with this tensor, and with a plugin's metadata if that is named.
std::string WithTensor(const std::string& tensor, const std::string& plugin) {
  std::string value = Field(1, std::string_view("loss")) + Field(8, tensor);
  if (!plugin.empty()) value += Field(9, Field(1, Field(1, plugin)));
  return Field(2, std::uint64_t{7}) + Field(5, Field(1, value));
}

std::string ScalarOf(const std::string& tensor, const std::string& plugin = "scalars") {
  TfPlugins plugins;
  TfEvent event;
  EXPECT_TRUE(ParseTfEvent(WithTensor(tensor, plugin), plugins, event));
  EXPECT_EQ(event.scalars.size() + static_cast<std::size_t>(event.others), 1U);
  return event.scalars.empty() ? "" : event.scalars[0].value;
}

std::string FloatBytes(float value) { return Bytes(std::bit_cast<std::uint32_t>(value), 4); }

TEST(TfEventTest, TheSimpleFormIsAScalar) {
  TfPlugins plugins;
  TfEvent event;
  const std::string record = TfSimple(1796068800.25, 5, "train/loss", 2.5F);
  ASSERT_TRUE(
      ParseTfEvent(std::string_view(record).substr(12, record.size() - 16), plugins, event));
  EXPECT_EQ(event.wall_time, "1796068800.25");
  EXPECT_EQ(event.step, 5);
  ASSERT_EQ(event.scalars.size(), 1U);
  EXPECT_EQ(event.scalars[0].tag, "train/loss");
  EXPECT_EQ(event.scalars[0].value, "2.5");
  EXPECT_FALSE(event.is_header);
}

TEST(TfEventTest, ATensorOfOneNumberIsAScalarHoweverItIsStored) {
  const std::string is_float = Field(1, std::uint64_t{1}) + Field(2, std::string_view(""));
  EXPECT_EQ(ScalarOf(is_float + Field(4, FloatBytes(2.5F))), "2.5");  // tensor_content
  EXPECT_EQ(ScalarOf(is_float + Field(5, FloatBytes(2.5F))), "2.5");  // packed float_val
  EXPECT_EQ(ScalarOf(is_float + Fixed32(5, 0x40200000U)), "2.5");     // one float_val
  EXPECT_EQ(
      ScalarOf(Field(1, std::uint64_t{2}) + Field(4, Bytes(std::bit_cast<std::uint64_t>(0.1), 8))),
      "0.1");
  EXPECT_EQ(ScalarOf(Field(1, std::uint64_t{9}) + Field(10, Varint(1'000'000))), "1000000");
  EXPECT_EQ(ScalarOf(Field(1, std::uint64_t{3}) + Field(7, ~std::uint64_t{4})), "-5");
}

TEST(TfEventTest, OtherTensorsAreNoScalars) {
  const std::string is_float = Field(1, std::uint64_t{1});
  const std::string one = Field(4, FloatBytes(2.5F));
  EXPECT_EQ(ScalarOf(is_float + Field(4, FloatBytes(1) + FloatBytes(2))), "");  // two numbers
  EXPECT_EQ(ScalarOf(is_float + Field(2, Field(2, Field(1, std::uint64_t{1}))) + one), "");
  EXPECT_EQ(ScalarOf(Field(1, std::uint64_t{7}) + Field(8, std::string_view("text"))), "");
  EXPECT_EQ(ScalarOf(is_float + one, "histograms"), "");
  EXPECT_EQ(ScalarOf(""), "");
}

TEST(TfEventTest, ATagsPluginIsRememberedFromItsFirstValue) {
  const std::string tensor = Field(1, std::uint64_t{1}) + Field(4, FloatBytes(2.5F));
  TfPlugins plugins;
  TfEvent event;
  ASSERT_TRUE(ParseTfEvent(WithTensor(tensor, "histograms"), plugins, event));
  ASSERT_TRUE(ParseTfEvent(WithTensor(tensor, ""), plugins, event));
  EXPECT_EQ(event.others, 1);
  EXPECT_TRUE(event.scalars.empty());
}

TEST(TfEventTest, HeadersAndSessionsAreTold) {
  TfPlugins plugins;
  TfEvent event;
  ASSERT_TRUE(ParseTfEvent(Field(3, std::string_view("brain.Event:2")), plugins, event));
  EXPECT_TRUE(event.is_header);
  for (const auto& [status, session] :
       {std::pair(1, TfSession::kStart), std::pair(2, TfSession::kStop),
        std::pair(3, TfSession::kCheckpoint), std::pair(9, TfSession::kNone)}) {
    ASSERT_TRUE(
        ParseTfEvent(Field(7, Field(1, static_cast<std::uint64_t>(status))), plugins, event));
    EXPECT_EQ(event.session, session);
  }
}

TEST(TfEventTest, UnknownFieldsArePassedOver) {
  TfPlugins plugins;
  TfEvent event;
  EXPECT_TRUE(ParseTfEvent(Field(99, std::uint64_t{1}) + Fixed32(98, 1) + Fixed64(97, 1) +
                               Field(96, std::string_view("x")) + Field(2, std::uint64_t{3}),
                           plugins, event));
  EXPECT_EQ(event.step, 3);
}

TEST(TfEventTest, ABrokenMessageIsNoEvent) {
  TfPlugins plugins;
  TfEvent event;
  for (const std::string& bytes :
       {std::string("\x80"), std::string("\x0B"), Varint(5 << 3 | 2) + Varint(100) + "x",
        Varint(1 << 3 | 1) + "1234567", Field(5, std::string_view("\x0A\x05x", 3)),
        std::string(11, '\xFF')}) {
    EXPECT_FALSE(ParseTfEvent(bytes, plugins, event));
  }
}

}  // namespace
}  // namespace plimsoll
