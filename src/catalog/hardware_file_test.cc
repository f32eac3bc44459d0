#include "catalog/hardware_file.h"

#include <gtest/gtest.h>

#include "catalog/price_file.h"

namespace plimsoll {
namespace {

struct Read {
  HardwareFile hardware;
  std::vector<Rejection> problems;
  std::string text;  // of the problems
};

Read ReadGpus(const std::string& yaml) {
  Read read;
  const auto document = ParseYaml("g.yaml", yaml, read.problems);
  EXPECT_TRUE(document.has_value());
  YamlFields fields(*document, "g.yaml", "", read.problems);
  ReadGpuList(fields, "g.yaml", read.hardware, read.problems);
  for (const Rejection& problem : read.problems) read.text += ToText(problem) + "\n";
  return read;
}

std::string CardWith(const std::string& profile) {
  return "gpus:\n  - name: A\n    vendor: nvidia\n    memory_mib: 1\n    compute_slices: 7\n"
         "    memory_slices: 8\n    profiles:\n      - " +
         profile + "\n";
}

TEST(HardwareFileTest, ReadsProfilesWithTheirPlacements) {
  const Read read =
      ReadGpus(CardWith("{name: 3g.40gb, compute_slices: 3, memory_slices: 4, memory_mib: 40192, "
                        "sm_count: 42, starts: [0, 4], max: 2}"));
  EXPECT_EQ(read.text, "");
  ASSERT_EQ(read.hardware.gpus.size(), 1U);
  ASSERT_EQ(read.hardware.gpus[0].profiles.size(), 1U);
  const MigProfile& profile = read.hardware.gpus[0].profiles[0];
  EXPECT_EQ(profile.name, "3g.40gb");
  EXPECT_EQ(profile.starts, (std::vector<std::int64_t>{0, 4}));
  EXPECT_EQ(profile.max, 2);
  EXPECT_EQ(read.hardware.gpu_lines[0], 2);
}

TEST(HardwareFileTest, PlacementsMustFitTheCard) {
  EXPECT_EQ(ReadGpus(CardWith("{name: p, compute_slices: 3, memory_slices: 4, starts: [0, 5], "
                              "max: 2}"))
                .text,
            "g.yaml:8: gpus[0].profiles[0].starts: 5 does not leave room for 4 of 8 memory "
            "slices\n");
  EXPECT_EQ(ReadGpus(CardWith("{name: p, compute_slices: 8, memory_slices: 4, starts: [0], "
                              "max: 1}"))
                .text,
            "g.yaml:8: gpus[0].profiles[0].compute_slices: must be 1 to 7\n");
  EXPECT_EQ(ReadGpus(CardWith("{name: p, compute_slices: 1, memory_slices: 1, starts: [0], "
                              "max: 2}"))
                .text,
            "g.yaml:8: gpus[0].profiles[0].max: must be 1 to 1, the number of starts\n");
}

TEST(HardwareFileTest, ProfilesAndSlicesComeTogether) {
  const Read read = ReadGpus("gpus:\n  - {name: A, vendor: v, memory_mib: 1, compute_slices: 7}\n");
  EXPECT_EQ(read.text,
            "g.yaml:2: gpus[0].profiles: a card has profiles if and only if it has "
            "compute_slices\n");
  EXPECT_TRUE(read.hardware.gpus.empty());
}

TEST(HardwareFileTest, ShapesKeepWhatIsRightAndReportTheRest) {
  Read read;
  const std::string text =
      "provider,instance_type,gpu_model,gpu_count,vcpu,memory_gib,source,as_of\n"
      "AWS,x,A,1/6,3.5,3.75,s,2026-01-01\n"
      "aws,y,A,-1,4,16,s,2026-01-01\n"
      "aws,z,A,1,four,1e30,s,soon\n"
      "aws,,A,1,4,16,,2026-01-01\n"
      "short\n";
  ReadShapes(ReadCsv(text), "s.csv", read.hardware, read.problems);
  ASSERT_EQ(read.hardware.shapes.size(), 0U);  // a broken record spoils the table
  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_EQ(ToText(read.problems[0]), "s.csv:6: has 1 fields, the header has 8");

  read = {};
  ReadShapes(ReadCsv(text.substr(0, text.size() - 6)), "s.csv", read.hardware, read.problems);
  ASSERT_EQ(read.hardware.shapes.size(), 1U);
  const InstanceShape& shape = read.hardware.shapes[0];
  EXPECT_EQ(shape.provider, "aws");
  EXPECT_EQ(shape.gpu_den, 6);
  EXPECT_EQ(shape.cpu_milli, 3'500);
  EXPECT_EQ(shape.memory_bytes, std::int64_t{3840} << 20);
  std::vector<std::string> fields;
  for (const Rejection& problem : read.problems) fields.push_back(problem.field);
  EXPECT_EQ(fields, (std::vector<std::string>{"gpu_count", "as_of", "vcpu", "memory_gib",
                                              "instance_type", "source"}));
}

TEST(HardwareFileTest, AMissingColumnIsNamed) {
  Read read;
  ReadShapes(ReadCsv("provider,gpu_model\n"), "s.csv", read.hardware, read.problems);
  EXPECT_EQ(read.problems.size(), 6U);
  EXPECT_EQ(ToText(read.problems[0]), "s.csv:1: instance_type: the column is missing");
}

}  // namespace
}  // namespace plimsoll
