#include "allocation/volume_costs.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

struct VolumeFleet : TestFleet {
  Conditions conditions;

  std::size_t Mount(const std::string& uid, Window time) {
    VolumeBatch& volumes = conditions.volumes;
    const std::size_t i = AddBlank(volumes);
    volumes.cluster[i] = "c";
    volumes.ns[i] = "ns";
    volumes.claim[i] = "data";
    volumes.volume_id[i] = "vol-1";
    volumes.storage_class[i] = "gp3";
    volumes.bytes[i] = std::int64_t{730} << 30;
    volumes.uid[i] = uid;
    volumes.workload_kind[i] = uid.empty() ? "" : "Job";
    volumes.workload[i] = uid;
    volumes.labels[i] = R"({"team":"t"})";
    volumes.begin[i] = time.begin;
    volumes.until[i] = time.until;
    return i;
  }
  std::size_t StorageCharge(const std::string& id, const std::string& cost, Window time) {
    const std::size_t i = Charge(id, cost, time);
    charges.service_category[i] = "Storage";
    charges.service_name[i] = "EBS";
    return i;
  }
  AllocationOutput Run() const {
    AllocationInput input = Input();
    input.conditions = &conditions;
    auto output = plimsoll::Allocate(input, options);
    EXPECT_TRUE(output) << output.error().message;
    return output ? *std::move(output) : AllocationOutput();
  }
  // Storage cost by workload over the whole window.
  std::map<std::string, std::string> Storage() const {
    const AllocationOutput out = Run();
    std::map<std::string, Money> sums;
    for (std::size_t i = 0; i < RowsOf(out.lines); ++i) {
      const auto workload = static_cast<std::size_t>(out.lines.workload_id[i]);
      sums[out.workloads.workload[workload]] += out.lines.storage_cost[i];
    }
    std::map<std::string, std::string> texts;
    for (const auto& [workload, cost] : sums) texts[workload] = cost.ToString();
    return texts;
  }
};

// A volume of 2.00 an hour: A mounts it for two hours, B for the second of them.
TEST(VolumeCostsTest, ABilledVolumeIsSharedWhileItIsShared) {
  VolumeFleet fleet;
  fleet.options.window.until = T(240);
  fleet.Mount("a", {T(60), T(180)});
  fleet.Mount("b", {T(120), T(180)});
  fleet.StorageCharge("arn:aws:ec2:us-east-1:1:volume/vol-1", "8", {T(0), T(240)});
  EXPECT_EQ(fleet.Storage(),
            (std::map<std::string, std::string>{
                {"a", "3.000000000"}, {"b", "1.000000000"}, {"data", "4.000000000"}}));
}

TEST(VolumeCostsTest, MomentsWithinAnHourAreToldApart) {
  VolumeFleet fleet;
  fleet.Mount("a", {T(0), T(60)});
  fleet.Mount("b", {T(30), T(60)});
  fleet.StorageCharge("vol-1", "1", {T(0), T(60)});
  EXPECT_EQ(fleet.Storage(),
            (std::map<std::string, std::string>{{"a", "0.750000000"}, {"b", "0.250000000"}}));
}

// A shared file system behind two claims is one volume: billed once, never priced beside.
TEST(VolumeCostsTest, ClaimsOfOneVolumeShareItsBill) {
  VolumeFleet fleet;
  fleet.Mount("a", {T(0), T(60)});
  fleet.conditions.volumes.claim[fleet.Mount("b", {T(30), T(60)})] = "more";
  fleet.options.volume_prices = {{"*", Money::Units(1)}};
  fleet.StorageCharge("vol-1", "1", {T(0), T(60)});
  EXPECT_EQ(fleet.Storage(),
            (std::map<std::string, std::string>{{"a", "0.750000000"}, {"b", "0.250000000"}}));
}

TEST(VolumeCostsTest, AnotherVolumesChargeStaysTheBills) {
  VolumeFleet fleet;
  fleet.Mount("a", {T(0), T(60)});
  fleet.StorageCharge("vol-2", "1", {T(0), T(60)});
  EXPECT_EQ(fleet.Storage(), (std::map<std::string, std::string>{{"EBS", "1.000000000"}}));
}

// 730 GiB at 0.744 a GiB and month is 543.12 a month of 744 hours: 0.73 an hour.
TEST(VolumeCostsTest, WhereNoBillNamesAVolumeItsPriceDoes) {
  VolumeFleet fleet;
  fleet.Mount("a", {T(0), T(30)});
  fleet.Mount("", {T(0), T(45)});
  fleet.options.volume_prices = {{"io*", Money::Units(9)}, {"gp*", *Money::Parse("0.744")}};
  EXPECT_EQ(fleet.Storage(),
            (std::map<std::string, std::string>{{"a", "0.365000000"}, {"data", "0.182500000"}}));
  fleet.StorageCharge("vol-1", "1", {T(0), T(60)});
  EXPECT_EQ(fleet.Storage(),
            (std::map<std::string, std::string>{{"a", "0.500000000"}, {"data", "0.500000000"}}));
}

}  // namespace
}  // namespace plimsoll
