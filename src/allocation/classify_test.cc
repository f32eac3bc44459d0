#include "allocation/classify.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMinute = 60'000 * 1'000'000LL;  // weight of a minute of a card

struct Hour {
  Twelfths covered{}, active{};
  std::vector<Piece> pieces;
  std::vector<Window> mixed;
  DeviceHour device;

  Hour() {
    covered.fill(300'000);
    device.hour = T(0);
    device.provisioned = {T(0), T(60)};
    device.covered = device.node_covered = 0xFFF;
  }
  void Hold(std::int32_t workload, std::int64_t begin, std::int64_t until) {
    Piece piece;
    piece.begin = piece.ready = T(begin);
    piece.until = T(until);
    piece.workload = workload;
    piece.holding = static_cast<std::int32_t>(pieces.size());
    piece.has_evidence = true;
    pieces.push_back(piece);
  }
  // "class workload minutes" a row; minutes are rounded down.
  std::vector<std::string> Classes(std::int64_t denominator = 1) {
    device.card = UsageCell(&covered, &active, 3);
    device.pieces = pieces;
    device.mixed = mixed;
    Classifier classifier(10'000);
    std::vector<ClassWeight> weights;
    EXPECT_TRUE(classifier.Classify(device, weights));
    losses = classifier.TakeLosses().size();
    std::vector<std::string> texts;
    std::int64_t sum = 0;
    for (const ClassWeight& w : weights) {
      texts.push_back(std::string(NameOf(w.cost_class)) + " " + std::to_string(w.workload) + " " +
                      std::to_string(w.weight / (kMinute * denominator)));
      sum += w.weight;
    }
    EXPECT_EQ(sum, device.provisioned.length().base() * 1'000'000 * denominator);
    return texts;
  }
  std::size_t losses = 0;
};

using Texts = std::vector<std::string>;

TEST(ClassifyTest, AHoldersRestOfATwelfthIsIdleWhateverTheSampleSays) {
  Hour hour;
  hour.active.fill(300'000'000'000);
  hour.Hold(0, 0, 33);
  EXPECT_EQ(hour.Classes(), (Texts{"used 0 33", "busy_unattributed -1 25", "waste -1 2"}));
}

TEST(ClassifyTest, UncoveredTimeOfAHolderIsUnknown) {
  Hour hour;
  hour.covered[3] = 0;
  hour.active[0] = 150'000'000'000;
  hour.Hold(0, 0, 60);
  EXPECT_EQ(hour.Classes(), (Texts{"used 0 2", "unused 0 52", "usage_unknown 0 5"}));
}

// A sample that speaks for a part of the twelfth stands for the held piece of it.
TEST(ClassifyTest, APartlyCoveredTwelfthIsScaled) {
  Hour hour;
  hour.covered[0] = 100'000;
  hour.active[0] = 100'000'000'000;
  hour.Hold(0, 0, 60);
  EXPECT_EQ(hour.Classes(), (Texts{"used 0 5", "unused 0 55"}));
}

TEST(ClassifyTest, OnlyProvisionedTimeIsDivided) {
  Hour hour;
  hour.device.provisioned = {T(7), T(22)};
  hour.Hold(0, 0, 20);
  EXPECT_EQ(hour.Classes(), (Texts{"unused 0 13", "waste -1 2"}));
}

TEST(ClassifyTest, ASilentDeviceIsUnavailableOnlyIfOthersSpeak) {
  Hour hour;
  hour.covered.fill(0);
  hour.device.covered = 0;
  hour.device.node_covered = 0x003;
  EXPECT_EQ(hour.Classes(), (Texts{"unavailable -1 10", "waste -1 50"}));
}

TEST(ClassifyTest, OverfullCardsGoToTheLaterHolder) {
  Hour hour;
  hour.Hold(0, 0, 40);
  hour.Hold(1, 30, 60);
  EXPECT_EQ(hour.Classes(), (Texts{"unused 0 30", "unused 1 30"}));
  EXPECT_EQ(hour.losses, 2u);  // two twelfths
}

TEST(ClassifyTest, SharesUseTheirCommonDenominator) {
  Hour hour;
  hour.Hold(0, 0, 60);
  hour.pieces[0].share_num = 3;
  hour.pieces[0].share_den = 7;
  hour.Hold(1, 0, 60);
  hour.pieces[1].share_den = 2;
  EXPECT_EQ(hour.Classes(14), (Texts{"unused 0 25", "unused 1 30", "waste -1 4"}));
}

TEST(ClassifyTest, AGuessAmongSeveralWorkloadsIsUnknown) {
  Hour hour;
  hour.Hold(0, 0, 60);
  hour.pieces[0].has_evidence = false;
  hour.mixed = {{T(20), T(32)}};
  EXPECT_EQ(hour.Classes(), (Texts{"unused 0 48", "usage_unknown 0 12"}));
}

TEST(ClassifyTest, RefusesSharesWithoutACommonDenominator) {
  Hour hour;
  hour.Hold(0, 0, 60);
  hour.pieces[0].share_den = 3'000'017;
  hour.device.pieces = hour.pieces;
  Classifier classifier(10'000);
  std::vector<ClassWeight> weights;
  EXPECT_FALSE(classifier.Classify(hour.device, weights));
}

// Property: cutting an hour never changes it. The simple case and the general one agree.
TEST(ClassifyTest, TheSimpleCaseIsTheGeneralCase) {
  Hour simple;
  for (std::size_t t = 0; t < 12; ++t) {
    simple.active[t] = static_cast<std::int64_t>(t) * 20'000'000'000;
    if (t % 3 == 1) simple.covered[t] = 200'000;
  }
  simple.Hold(0, 0, 60);
  Hour general = simple;  // a guess that no other workload's time touches is cut all the same
  general.pieces[0].has_evidence = false;
  general.mixed = {{T(-10), T(-5)}};
  EXPECT_EQ(simple.Classes(), general.Classes());
}

TEST(ClassifyTest, ACardWithARowForItsPowerAloneIsAsBusyAsItsInstances) {
  Hour hour;
  hour.covered.fill(0);  // the card's own row
  Twelfths covered, active;
  covered.fill(300'000);
  active.fill(150'000'000'000);
  const std::vector<InstanceCell> instances{{0, UsageCell(&covered, &active, 3)}};
  hour.device.instances = instances;
  EXPECT_EQ(hour.Classes(), Texts{"busy_unattributed -1 60"});
}

}  // namespace
}  // namespace plimsoll
