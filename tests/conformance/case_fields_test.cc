#include "conformance/case_fields.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

CaseAllocation Pod() {
  CaseAllocation pod;
  pod.cluster = "c1";
  pod.ns = "ml";
  pod.pod = "p-0";
  pod.controller_kind = "statefulset";
  pod.controller = "trainer";
  pod.services = {"api", "web"};
  pod.labels = {{"app.kubernetes.io/name", "bert"}, {"env", "prod"}};
  pod.annotations = {{"team", "nlp"}};
  return pod;
}

std::string Value(const std::string& aggregate) {
  const auto value = AggregateValue(Pod(), aggregate);
  return value ? *value : value.error().message;
}

bool Keeps(const std::string& filter) {
  const auto tree = ParseCaseFilter(filter);
  EXPECT_TRUE(tree) << tree.error().message;
  return tree && MatchesCase(*tree, Pod());
}

TEST(CaseFieldsTest, AggregatesNameWhatTheyMean) {
  EXPECT_EQ(Value("namespace"), "ml");
  EXPECT_EQ(Value("controller"), "statefulset:trainer");
  EXPECT_EQ(Value("statefulset"), "trainer");
  EXPECT_EQ(Value("deployment"), "__unallocated__");
  EXPECT_EQ(Value("controllerKind"), "statefulset");
  EXPECT_EQ(Value("service"), "api");
  EXPECT_EQ(Value("node"), "__unallocated__");
  EXPECT_EQ(Value("label:app_kubernetes_io_name"), "bert");
  EXPECT_EQ(Value("annotation:team"), "nlp");
  EXPECT_EQ(Value("environment"), "prod");
  EXPECT_EQ(Value("team"), "nlp");
  EXPECT_EQ(Value("colour"), "no aggregate 'colour'");
}

TEST(CaseFieldsTest, FiltersReachLabelsListsAndMissingValues) {
  EXPECT_TRUE(Keeps("label[app.kubernetes.io/name]:\"bert\""));
  EXPECT_FALSE(Keeps("label[tier]:\"bert\""));
  EXPECT_TRUE(Keeps("label[tier]!:\"bert\""));
  EXPECT_TRUE(Keeps("label[tier]:\"__unallocated__\""));
  EXPECT_TRUE(Keeps("label~:\"env\""));
  EXPECT_FALSE(Keeps("label~:\"en\""));  // a key, whole
  EXPECT_TRUE(Keeps("services:\"web\""));
  EXPECT_TRUE(Keeps("services<~:\"we\""));
  EXPECT_FALSE(Keeps("services!~:\"api\""));
  EXPECT_TRUE(Keeps("controllerName:\"trainer\"+controllerKind!:\"job\""));
  EXPECT_TRUE(Keeps("team:\"nlp\"+environment:\"prod\""));
  EXPECT_FALSE(Keeps("node:\"n1\"|owner:\"x\""));
  EXPECT_FALSE(ParseCaseFilter("nmspace:\"a\""));
  EXPECT_FALSE(ParseCaseFilter("namespace[a]:\"a\""));
}

}  // namespace
}  // namespace plimsoll
