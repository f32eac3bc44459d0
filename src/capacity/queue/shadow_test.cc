#include "capacity/queue/shadow.h"

#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;

class ShadowTest : public testing::Test {
 protected:
  // A job of one node's GPUs that runs until then.
  LiveId Run(NodeId node, std::int32_t gpus, std::int64_t until) {
    LiveJob job;
    job.runs = true;
    job.shape.gpus = gpus;
    job.places = {{node, 1, 0}};
    job.ends_by = AtMillis(until);
    room_.Take(job.shape, job.places);
    jobs_.push_back(job);
    const auto id = static_cast<LiveId>(jobs_.size() - 1);
    shadow_.Started(id, job);
    return id;
  }
  void Stop(LiveId id) {
    room_.Give(jobs_[id].shape, jobs_[id].places);
    shadow_.Stopped(id, jobs_[id]);
    jobs_[id].runs = false;
  }
  // When `pods` pods of 4 GPUs can start.
  std::optional<std::int64_t> Reserve(std::int32_t pods, std::int64_t now = 0) {
    const auto at = shadow_.Reserve(AtMillis(now), jobs_, Fits(pods));
    return at ? std::optional(at->base()) : std::nullopt;
  }
  std::function<bool(const Room&)> Fits(std::int32_t pods) {
    GangNeed need;
    need.pods = need.pods_min = pods;
    need.shape.gpus = 4;
    return [need](const Room& room) { return room.Fits(need); };
  }
  bool Leaves(NodeId node, std::int32_t gpus, std::int32_t pods) {
    PodShape shape;
    shape.gpus = gpus;
    GangPlaces places{{node, 1, 0}};
    room_.Take(shape, places);
    const bool leaves = shadow_.Leaves(shape, places, Fits(pods));
    room_.Give(shape, places);
    return leaves;
  }

  const Cluster cluster_ = ClusterOf({4, 4, 4});
  Room room_{cluster_};
  Shadow shadow_{cluster_};
  std::vector<LiveJob> jobs_;
};

TEST_F(ShadowTest, TheHeadStartsWhenTheLastThatItNeedsEnds) {
  Run(0, 1, 10);
  Run(1, 1, 30);
  EXPECT_EQ(Reserve(2), 10);
  EXPECT_TRUE(Leaves(2, 0, 2));
  EXPECT_FALSE(Leaves(2, 1, 2));  // node 1 is not free until 30
  EXPECT_TRUE(Leaves(1, 1, 2));
}

TEST_F(ShadowTest, AnEarlyEndMovesItBackAndALongerStartDoesNot) {
  const LiveId first = Run(0, 2, 10), second = Run(1, 2, 30);
  Run(2, 2, 20);
  EXPECT_EQ(Reserve(2), 20);
  Run(0, 1, 15);  // within the shadow
  EXPECT_EQ(Reserve(2), 20);
  Stop(second);
  shadow_.HeadChanged();
  EXPECT_EQ(Reserve(2), 15);
  Stop(first);
  EXPECT_EQ(Reserve(2, 16), 16);  // who should have ended is thought to end now
}

TEST_F(ShadowTest, NodesThatAreDownAreNoPartOfIt) {
  Run(0, 1, 10);
  shadow_.SetUp(1, false);
  EXPECT_EQ(Reserve(2), 10);
  EXPECT_EQ(Reserve(3), std::nullopt);
  shadow_.SetUp(1, true);
  EXPECT_EQ(Reserve(3), 10);
}

}  // namespace
}  // namespace plimsoll
