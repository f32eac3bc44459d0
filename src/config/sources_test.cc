#include "config/sources.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

// The sources of a file whose key `sources` is `list`, or its errors.
std::string Read(const std::string& list, std::vector<SourceConfig>* sources = nullptr) {
  YamlErrors errors("p.yaml");
  YamlMap top(YAML::Load("sources:\n" + list), "", errors);
  std::vector<SourceConfig> read =
      ReadSources(top, [](const std::string& path) { return "/etc/" + path; });
  if (sources != nullptr) *sources = std::move(read);
  return errors.Joined();
}

TEST(SourcesTest, ReadsEachKindWithItsKeys) {
  std::vector<SourceConfig> sources;
  ASSERT_EQ(Read("- {kind: focus, name: bill, files: [a.csv, b/*.gz], defaults: "
                 "{InvoiceIssuerName: Acme}}\n"
                 "- {kind: kubernetes, cluster: prod, files: kube.json}\n"
                 "- {kind: prometheus, cluster: prod, url: 'https://p:9090/x', token_file: t,\n"
                 "   match: 'job=\"dcgm\"', hold: 3m}\n"
                 "- {kind: slurm, files: [s.psv]}\n"
                 "- {kind: prices, files: [p.yaml]}\n",
                 &sources),
            "");
  ASSERT_EQ(sources.size(), 5u);
  EXPECT_EQ(sources[0].name, "bill");
  EXPECT_EQ(sources[0].files, (std::vector<std::string>{"/etc/a.csv", "/etc/b/*.gz"}));
  EXPECT_EQ(sources[0].defaults.at("InvoiceIssuerName"), "Acme");
  EXPECT_EQ(sources[1].cluster, "prod");
  EXPECT_EQ(sources[2].url, "https://p:9090/x");
  EXPECT_EQ(sources[2].token_file, "/etc/t");
  EXPECT_EQ(sources[2].match, "job=\"dcgm\"");
  EXPECT_EQ(sources[2].hold, Minutes(3));
  EXPECT_EQ(sources[3].name, "slurm");
  EXPECT_EQ(sources[4].kind, "prices");
}

TEST(SourcesTest, KindsAreCheckedAndSuggested) {
  EXPECT_EQ(Read("- {kind: prometeus, url: 'http://p'}\n"),
            "p.yaml:2: sources[0].kind: 'prometeus' is not one of prices, focus, kubernetes, "
            "slurm, prometheus, runs, requests; did you mean 'prometheus'?");
  EXPECT_EQ(Read("- {files: [a]}\n"), "p.yaml:2: sources[0].kind: is missing; write kind: focus");
}

TEST(SourcesTest, KeysOfAnotherKindAreErrors) {
  EXPECT_EQ(Read("- kind: slurm\n  files: [a]\n  url: http://p\n"),
            "p.yaml:4: sources[0].url: is not used by kind slurm; remove it");
  EXPECT_EQ(Read("- {kind: focus, files: [a], cluster: c}\n"),
            "p.yaml:2: sources[0].cluster: is not used by kind focus; remove it");
}

TEST(SourcesTest, RunsAndRequestsSayWhatTheirFilesDoNot) {
  std::vector<SourceConfig> sources;
  ASSERT_EQ(Read("- {kind: runs, files: [runs], cluster: prod, experiment: e, gpus: 8, "
                 "samples_per_step: 512}\n"
                 "- {kind: requests, files: [r.csv], service: chat, maps: ['ttft=first_ms:ms']}\n",
                 &sources),
            "");
  EXPECT_EQ(sources[0].cluster, "prod");
  EXPECT_EQ(sources[0].runs.experiment, "e");
  EXPECT_EQ(sources[0].runs.gpus, 8);
  EXPECT_EQ(sources[0].runs.samples_per_step, 512);
  EXPECT_FALSE(sources[0].runs.tokens_per_step.has_value());
  EXPECT_EQ(sources[1].service, "chat");
  EXPECT_EQ(sources[1].maps, std::vector<std::string>{"ttft=first_ms:ms"});
  EXPECT_EQ(Read("- {kind: runs, files: [a], gpus: none}\n"),
            "p.yaml:2: sources[0].gpus: 'none' must be a whole number from 1 to 1000000000000");
  EXPECT_EQ(Read("- {kind: requests, files: [a], gpus: 8}\n"),
            "p.yaml:2: sources[0].gpus: is not used by kind requests; remove it");
  EXPECT_EQ(Read("- {kind: runs, files: [a], service: chat}\n"),
            "p.yaml:2: sources[0].service: is not used by kind runs; remove it");
}

TEST(SourcesTest, WhatToReadIsRequired) {
  EXPECT_NE(Read("- {kind: focus}\n").find("files: is missing; write files: [focus/*]"),
            std::string::npos);
  EXPECT_NE(Read("- {kind: prometheus}\n").find("url: is missing"), std::string::npos);
  EXPECT_NE(Read("- {kind: prometheus, url: 'http://p', files: [a]}\n").find("two sources"),
            std::string::npos);
}

TEST(SourcesTest, KubernetesIsFilesOrTheApi) {
  std::vector<SourceConfig> sources;
  ASSERT_EQ(Read("- {kind: kubernetes, name: a, kubeconfig: kube/config, context: prod}\n"
                 "- {kind: kubernetes, name: b, in_cluster: true}\n"
                 "- {kind: kubernetes, name: c, files: [k.json]}\n",
                 &sources),
            "");
  EXPECT_TRUE(sources[0].api);
  EXPECT_EQ(sources[0].kubeconfig, "/etc/kube/config");
  EXPECT_EQ(sources[0].context, "prod");
  EXPECT_TRUE(sources[1].api && sources[1].in_cluster);
  EXPECT_FALSE(sources[2].api);
  EXPECT_NE(Read("- {kind: kubernetes}\n").find("in_cluster: true"), std::string::npos);
  EXPECT_NE(Read("- {kind: kubernetes, in_cluster: true, files: [a]}\n").find("two sources"),
            std::string::npos);
  EXPECT_NE(Read("- {kind: kubernetes, in_cluster: true, context: a}\n").find("keep one"),
            std::string::npos);
  EXPECT_NE(Read("- {kind: slurm, files: [a], in_cluster: true}\n").find("not used by kind"),
            std::string::npos);
}

TEST(SourcesTest, UrlsHoldNoSecretAndNoQuery) {
  EXPECT_NE(Read("- {kind: prometheus, url: 'http://u:p@host'}\n").find("password"),
            std::string::npos);
  EXPECT_NE(Read("- {kind: prometheus, url: 'http://host/?a=b'}\n").find("without a query"),
            std::string::npos);
  EXPECT_NE(Read("- {kind: prometheus, url: 'http://'}\n").find("must start with"),
            std::string::npos);
  EXPECT_NE(
      Read("- {kind: prometheus, url: 'http://h', token_file: a, token_env: B}\n").find("keep one"),
      std::string::npos);
}

TEST(SourcesTest, HoldIsWithinAnHour) {
  const std::string url = "- {kind: prometheus, url: 'http://h', ";
  EXPECT_EQ(Read(url + "hold: 1h}\n"), "");
  EXPECT_NE(Read(url + "hold: 2h}\n").find("hold: must be from 1s to 1h"), std::string::npos);
  EXPECT_NE(Read(url + "hold: 5}\n").find("is not a duration"), std::string::npos);
  EXPECT_NE(Read("- {kind: prometheus, files: [a], match: b}\n").find("only used with url"),
            std::string::npos);
}

TEST(SourcesTest, NamesAreUnique) {
  EXPECT_EQ(Read("- {kind: focus, files: [a]}\n- {kind: focus, files: [b]}\n"),
            "p.yaml:3: sources[1].name: 'focus' is the name of sources[0] too; give each its "
            "own, as in name: focus-2");
}

}  // namespace
}  // namespace plimsoll
