#include "ingest/kubernetes/volume_claims.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

Instant At(const char* time) { return *ParseInstant(time); }

constexpr const char* kClaim = R"({"metadata":{"name":"data","namespace":"ml",
  "creationTimestamp":"2026-01-01T00:00:00Z","labels":{"team":"nlp"}},
  "spec":{"volumeName":"pv-1","storageClassName":"gp3",
  "resources":{"requests":{"storage":"100Gi"}}},"status":{"capacity":{"storage":"200Gi"}}})";
constexpr const char* kVolume = R"({"metadata":{"name":"pv-1"},"spec":{"capacity":
  {"storage":"200Gi"},"csi":{"driver":"ebs.csi.aws.com","volumeHandle":"vol-0abc"}}})";

PodObject Pod(const std::string& uid, const char* begin) {
  PodObject object;
  object.pod.ns = "ml";
  object.pod.uid = uid;
  object.pod.node = "n1";
  object.pod.workload_kind = "Job";
  object.pod.workload = "train";
  object.pod.scheduled = At(begin);
  object.volumes = {"data"};
  return object;
}

struct Fixture {
  void Claim(const char* text, const Sighting& sighting = {}) {
    const auto object = nlohmann::json::parse(text);
    FieldError error;
    claims.AddClaim(FieldReader(object, "", error), sighting);
    EXPECT_EQ(error.reason, "") << error.path;
  }
  void Volume(const char* text) {
    const auto object = nlohmann::json::parse(text);
    FieldError error;
    claims.AddVolume(FieldReader(object, "", error));
    EXPECT_EQ(error.reason, "") << error.path;
  }
  VolumeClaims claims;
};

TEST(VolumeClaimsTest, EachPodThatMountsIsARowOfTheBilledVolume) {
  Fixture f;
  f.claims.TakePod(Pod("u1", "2026-01-02T00:00:00Z"));
  f.claims.TakePod(Pod("u2", "2026-01-03T00:00:00Z"));
  f.Claim(kClaim);
  f.Volume(kVolume);
  const VolumeBatch rows = f.claims.Rows("c1", At("2026-01-05T00:00:00Z"));
  ASSERT_EQ(RowsOf(rows), 3U);  // the two and the claim itself, which exists whoever mounts it
  EXPECT_EQ(rows.uid[2], "");
  EXPECT_EQ(rows.begin[2], At("2026-01-01T00:00:00Z"));
  EXPECT_EQ(rows.volume_id[0], "vol-0abc");
  EXPECT_EQ(rows.storage_class[1], "gp3");
  EXPECT_EQ(rows.bytes[1], 200LL << 30);
  EXPECT_EQ(rows.uid[1], "u2");
  EXPECT_EQ(rows.workload[1], "train");
  EXPECT_EQ(rows.begin[1], At("2026-01-03T00:00:00Z"));
  EXPECT_EQ(rows.cluster[0], "c1");
}

TEST(VolumeClaimsTest, ClaimThatNobodyMountsIsItsOwn) {
  Fixture f;
  f.Claim(kClaim);
  const VolumeBatch rows = f.claims.Rows("c1", At("2026-01-05T00:00:00Z"));
  ASSERT_EQ(RowsOf(rows), 1U);
  EXPECT_EQ(rows.uid[0], "");
  EXPECT_EQ(rows.labels[0], R"({"team":"nlp"})");
  EXPECT_EQ(rows.begin[0], At("2026-01-01T00:00:00Z"));
  EXPECT_FALSE(rows.until[0]);
  f.Claim(kClaim, {"", At("2026-01-04T00:00:00Z"), true});
  EXPECT_EQ(f.claims.Rows("c1", At("2026-01-05T00:00:00Z")).until[0], At("2026-01-04T00:00:00Z"));
}

TEST(VolumeClaimsTest, BilledIdIsTheLastPartOfAHandle) {
  EXPECT_EQ(BilledVolumeId("vol-0abc"), "vol-0abc");
  EXPECT_EQ(BilledVolumeId("aws://us-east-1a/vol-0abc"), "vol-0abc");
  EXPECT_EQ(BilledVolumeId("projects/p/zones/z/disks/pvc-1"), "pvc-1");
  EXPECT_EQ(BilledVolumeId(""), "");
}

TEST(VolumeClaimsTest, BrokenSizeIsNamed) {
  const auto object =
      nlohmann::json::parse(R"({"metadata":{"name":"d"},"status":{"capacity":{"storage":"big"}}})");
  FieldError error;
  VolumeClaims claims;
  claims.AddClaim(FieldReader(object, "", error), {});
  EXPECT_EQ(error.path, "status.capacity.storage");
  EXPECT_EQ(RowsOf(claims.Rows("c1", AtSeconds(0))), 0U);
}

}  // namespace
}  // namespace plimsoll
