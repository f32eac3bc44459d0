#include "demo/write_ksm.h"

#include <map>
#include <set>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

std::vector<std::string> KsmLines() {
  const ScratchFolder folder("ksm");
  OpenMetricsWriter out(folder.File("k.om"));
  WriteKsm(TwoDays(), out);
  EXPECT_TRUE(out.Finish().has_value());
  return LinesOf(ReadFile(folder.File("k.om")));
}

bool Has(const std::string& line, const std::string& text) {
  return line.find(text) != std::string::npos;
}

TEST(WriteKsmTest, EveryPodHasInfoPhaseAndItsTimes) {
  std::map<std::string, std::set<std::string>> families;  // by uid
  for (const std::string& line : KsmLines()) {
    const std::size_t uid = line.find("uid=\"");
    if (uid != line.npos) families[line.substr(uid + 5, 36)].insert(line.substr(0, line.find('{')));
  }
  EXPECT_EQ(families.size(), TwoDays().pods.size());
  for (const DemoPod& pod : TwoDays().pods) {
    const std::set<std::string>& seen = families[pod.uid];
    for (const char* family : {"kube_pod_info", "kube_pod_owner", "kube_pod_labels",
                               "kube_pod_status_phase", "kube_pod_created"}) {
      EXPECT_TRUE(seen.contains(family)) << pod.name << " " << family;
    }
    if (!pod.hold) continue;
    EXPECT_TRUE(seen.contains("kube_pod_status_scheduled_time")) << pod.name;
    EXPECT_TRUE(seen.contains("kube_pod_container_state_started")) << pod.name;
    EXPECT_EQ(seen.contains("kube_pod_completion_time"), TwoDays().holds[*pod.hold].end.has_value())
        << pod.name;
  }
}

TEST(WriteKsmTest, RequestsAreSanitised) {
  bool mig = false, whole = false, memory = false;
  for (const std::string& line : KsmLines()) {
    if (!line.starts_with("kube_pod_container_resource_requests{")) continue;
    mig = mig || Has(line, R"(resource="nvidia_com_mig_3g_20gb",unit="integer")");
    whole = whole || Has(line, R"(resource="nvidia_com_gpu",unit="integer")");
    memory = memory || Has(line, R"(resource="memory",unit="byte")");
  }
  EXPECT_TRUE(mig && whole && memory);
}

TEST(WriteKsmTest, GoneSpotNodeIsSeenUntilItsEnd) {
  for (const DemoNode& node : TwoDays().nodes) {
    if (!node.until) continue;
    std::string last;
    for (const std::string& line : KsmLines()) {
      if (line.starts_with("kube_node_info{node=\"" + node.name + "\"")) last = line;
    }
    EXPECT_TRUE(last.ends_with(" " + std::to_string((*node.until - kDemoStep).base() / 1000)))
        << last;
  }
}

}  // namespace
}  // namespace plimsoll
