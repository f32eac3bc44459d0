#include "ingest/kubernetes/device_claims.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr const char* kSlice = R"({"metadata":{"name":"s"},"spec":{"driver":"gpu.nvidia.com",
  "nodeName":"n1","pool":{"name":"n1"},"devices":[
  {"name":"gpu-0","attributes":{"type":{"string":"gpu"},"uuid":{"string":"GPU-0"}}},
  {"name":"gpu-1","basic":{"attributes":{"type":{"string":"gpu"},"uuid":{"string":"GPU-1"}}}},
  {"name":"part-1","attributes":{"type":{"string":"mig"},"profile":{"string":"3g.40gb"},
   "parentUUID":{"string":"GPU-1"}}}]}})";

json Claim(const std::string& name, const std::vector<std::string>& devices,
           const std::vector<std::string>& reserved = {}) {
  json claim = {{"metadata", {{"name", name}, {"namespace", "ml"}}}};
  claim["status"]["allocation"]["devices"]["results"] = json::array();
  for (const std::string& device : devices) {
    claim["status"]["allocation"]["devices"]["results"].push_back(
        {{"driver", "gpu.nvidia.com"}, {"pool", "n1"}, {"device", device}});
  }
  for (const std::string& uid : reserved) {
    claim["status"]["reservedFor"].push_back({{"resource", "pods"}, {"name", uid}, {"uid", uid}});
  }
  return claim;
}

PodObject Pod(const std::string& uid, std::vector<std::string> claims, std::int64_t begin = 100,
              std::optional<Instant> end = {}) {
  PodObject object;
  object.pod.ns = "ml";
  object.pod.uid = uid;
  object.pod.node = "n1";
  object.pod.scheduled = AtSeconds(begin);
  object.pod.ended = end;
  object.claims = std::move(claims);
  return object;
}

struct Fixture {
  void Slice(const json& slice) {
    FieldError error;
    claims.AddSlice(FieldReader(slice, "", error));
    EXPECT_EQ(error.reason, "") << error.path;
  }
  void Add(const json& claim) {
    FieldError error;
    claims.AddClaim(FieldReader(claim, "", error));
    EXPECT_EQ(error.reason, "") << error.path;
  }
  std::vector<HeldDevices> Held(std::vector<PodObject> pods, std::size_t of = 0,
                                bool complete = true) {
    for (const PodObject& pod : pods) claims.TakePod(pod);
    EXPECT_EQ(claims.Apply(pods[of]), complete);
    return HeldDevicesOf(pods[of].pod);
  }
  DeviceClaims claims;
};

TEST(DeviceClaimsTest, WholeDevicesAreCounted) {
  Fixture f;
  f.Slice(json::parse(kSlice));
  f.Add(Claim("two", {"gpu-0", "gpu-1"}));
  const auto held = f.Held({Pod("a", {"two"})});
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].devices, 2);
  EXPECT_EQ(held[0].unit, (DeviceUnit{"gpu.claim", 1, 1}));
  EXPECT_TRUE(f.claims.HasNode("n1"));
  EXPECT_EQ(f.claims.CardsOf("n1"), 2) << "a slice is of a card";
}

TEST(DeviceClaimsTest, SharedClaimIsSplitAmongThoseWhoHeldItAtOneTime) {
  Fixture f;
  f.Slice(json::parse(kSlice));
  f.Add(Claim("shared", {"gpu-0"}, {"a", "b"}));
  const std::vector<PodObject> pods = {Pod("a", {"shared"}, 200), Pod("b", {"shared"}, 200),
                                       Pod("old", {"shared"}, 100, AtSeconds(200))};
  EXPECT_EQ(f.Held(pods, 0)[0].unit, (DeviceUnit{"gpu.claim", 1, 2}));
  Fixture g;
  g.Add(Claim("shared", {"gpu-0"}, {"a", "unseen"}));
  EXPECT_EQ(g.Held({Pod("a", {"shared"})})[0].unit, (DeviceUnit{"gpu.claim", 1, 2}));
}

TEST(DeviceClaimsTest, MigDeviceIsItsProfileByAttributeOrName) {
  Fixture f;
  f.Slice(json::parse(kSlice));
  f.Add(Claim("slice", {"part-1"}));
  EXPECT_EQ(f.Held({Pod("a", {"slice"})})[0].unit, (DeviceUnit{"mig-3g.40gb", 3, 7}));
  Fixture g;
  g.Add(Claim("slice", {"gpu-2-mig-1g10gb-9"}));
  EXPECT_EQ(g.Held({Pod("a", {"slice"})})[0].unit, (DeviceUnit{"mig-1g.10gb", 1, 7}));
  Fixture h;
  h.Add(Claim("slice", {"gpu-2-mig-19-0"}));
  EXPECT_EQ(h.Held({Pod("a", {"slice"})}, 0, false)[0].devices, 0) << "no guess";
}

TEST(DeviceClaimsTest, AdminAccessAndNetworkCardsAreNoGpus) {
  Fixture f;
  json watching = Claim("watch", {"gpu-0"});
  watching["status"]["allocation"]["devices"]["results"][0]["adminAccess"] = true;
  f.Add(watching);
  json card = Claim("net", {"nic-0"});
  card["status"]["allocation"]["devices"]["results"][0]["driver"] = "dra.net";
  f.Add(card);
  EXPECT_EQ(f.Held({Pod("a", {"watch", "net"})})[0].devices, 0);
}

TEST(DeviceClaimsTest, ClaimThatIsNotThereOrNotAllocatedIsTold) {
  Fixture f;
  EXPECT_EQ(f.Held({Pod("a", {"none"})}, 0, false)[0].devices, 0);
  f.Add({{"metadata", {{"name", "waits"}, {"namespace", "ml"}}}});
  EXPECT_EQ(f.Held({Pod("b", {"waits"})}, 0, false)[0].devices, 0);
}

TEST(DeviceClaimsTest, ClaimThatWasGivenBackStillSaysWhatWasHeld) {
  json given_back = {{"metadata", {{"name", "c"}, {"namespace", "ml"}, {"resourceVersion", "9"}}}};
  json held = Claim("c", {"gpu-0"});
  held["metadata"]["resourceVersion"] = "5";
  for (const bool swapped : {false, true}) {
    Fixture f;
    f.Add(swapped ? given_back : held);
    f.Add(swapped ? held : given_back);
    EXPECT_EQ(f.Held({Pod("a", {"c"}, 100, AtSeconds(200))})[0].devices, 1);
  }
}

}  // namespace
}  // namespace plimsoll
