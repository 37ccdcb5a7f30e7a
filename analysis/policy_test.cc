#include "analysis/policy.h"

#include <gtest/gtest.h>

#include "analysis/metric.h"

namespace lab::analysis {
namespace {

Policy parse(const std::string& text) { return parse_policy(JsonDocument::parse(text, "p.json")); }

std::string complaint(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::usage);
    return e.what();
  }
  return "";
}

TEST(Policy, ReadsEveryKey) {
  const Policy p = parse(R"(// a comment
{ "title": "t", "candidate": { "allocator": "jemalloc" }, "min_repetitions": 8,
  "worst_mark": "doubtful", "accept_marks": ["not-interleaved"], "proof": false, "inconclusive": "warn",
  "rules": [
    { "figure": "write_iops", "max_loss_percent": 5, "min_iops": 1000, "inconclusive": "go" },
    { "figure": "read_p99", "max_growth_percent": 20, "max_growth_ms": 1.5, "max_ms": 50 },
    { "figure": "memory", "max_growth_bytes": "300M", "if_missing": "skip" },
    { "figure": "recovery_time", "max_s": 60 },
    { "figure": "io_errors", "max": 0 } ] })");
  EXPECT_EQ(p.title, "t");
  EXPECT_EQ(p.candidate[0], std::pair(std::string("allocator"), std::string("jemalloc")));
  EXPECT_EQ(p.min_repetitions, 8u);
  EXPECT_EQ(p.worst_mark, results::Weight::doubtful);
  EXPECT_FALSE(p.proof);
  EXPECT_EQ(p.accept_marks, std::vector<std::string>({"not-interleaved"}));
  ASSERT_EQ(p.rules.size(), 8u) << "a rule for every limit";
  EXPECT_EQ(p.rules[0].limit, Limit::loss);
  EXPECT_DOUBLE_EQ(p.rules[0].value, 0.05);
  EXPECT_EQ(p.rules[0].inconclusive, Counts::go);
  EXPECT_EQ(p.rules[1].limit, Limit::at_least);
  EXPECT_EQ(p.rules[3].limit, Limit::added);
  EXPECT_EQ(p.rules[3].inconclusive, Counts::warn) << "of the whole policy";
  EXPECT_DOUBLE_EQ(p.rules[5].value, 300.0 * 1024 * 1024);
  EXPECT_TRUE(p.rules[5].skip_if_missing);
  EXPECT_FALSE(p.rules[6].skip_if_missing);
}

TEST(Policy, IsStrictUnlessItSaysOtherwise) {
  const Policy p = parse(R"({"rules": [{"figure": "write_iops", "max_loss_percent": 5}]})");
  EXPECT_EQ(p.rules[0].inconclusive, Counts::no_go);
  EXPECT_FALSE(p.rules[0].skip_if_missing);
  EXPECT_TRUE(p.proof);
  EXPECT_EQ(p.worst_mark, results::Weight::note);
  EXPECT_EQ(p.min_repetitions, 4u);
}

TEST(Policy, ComplaintsNameLineAndTheNearestWord) {
  EXPECT_EQ(complaint("{\n\"rules\": [\n{\"figure\": \"write_iop\", \"max_loss_percent\": 5}]}")
                .substr(0, 61),
            "p.json:3: unknown figure \"write_iop\" (did you mean \"write_iop");
  EXPECT_EQ(complaint("{\"rules\": [\n{\"figure\": \"write_iops\", \"max_loss_percen\": 5}]}"),
            "p.json:2: unknown key \"max_loss_percen\" (did you mean \"max_loss_percent\"?)");
  EXPECT_EQ(complaint("{\"rules\": [{\"figure\": \"write_p99\", \"min_iops\": 5}]}").substr(0, 33),
            "p.json:1: unknown key \"min_iops\"");
  EXPECT_EQ(complaint("{\"rules\": [{\"figure\": \"write_p99\"}]}"),
            "p.json:1: a rule about write_p99 needs a limit: max_growth_percent, max_growth_ms, "
            "max_ms");
  EXPECT_NE(complaint("{\"rules\": []}").find("no rule"), std::string::npos);
  EXPECT_NE(complaint("{\"rulez\": []}").find("did you mean \"rules\""), std::string::npos);
  EXPECT_NE(complaint("{\"worst_mark\": \"invalid\", \"rules\": []}").find("unknown weight"),
            std::string::npos);
  EXPECT_NE(complaint("{\"inconclusive\": \"nogo\", \"rules\": []}").find("\"no-go\""),
            std::string::npos);
  for (const char* bad : {"-1", "100", "\"5\""})
    EXPECT_NE(complaint(fmt::format(
                  "{{\"rules\": [{{\"figure\": \"read_iops\", \"max_loss_percent\": {}}}]}}", bad)),
              "")
        << bad;
}

// A figure that there are data for has the same name here, so that rules find it.
TEST(Policy, KnowsEveryMetric) {
  std::vector<const Metric*> all;
  for (const RowMetric& metric : row_metrics()) all.push_back(&metric);
  for (const DirectoryMetric& metric : directory_metrics()) all.push_back(&metric);
  for (const Metric* metric : all)
    EXPECT_TRUE(std::any_of(policy_figures().begin(), policy_figures().end(), [&](const Figure& f) {
      return f.key == metric->key && f.name == metric->name;
    })) << metric->key;
}

TEST(Policy, TheShippedOnesAreRead) {
  size_t policies = 0;
  for (const auto& entry : fs::directory_iterator(LAB_POLICIES)) {
    EXPECT_FALSE(parse_policy(JsonDocument::load(entry.path())).title.empty()) << entry.path();
    ++policies;
  }
  EXPECT_GE(policies, 1u);
}

}  // namespace
}  // namespace lab::analysis
