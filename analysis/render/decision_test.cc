#include "analysis/render/decision.h"

#include <gtest/gtest.h>

#include "analysis/render/escape.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

Decision example() {
  Decision decision;
  decision.policy = "a rollout";
  decision.compared = {"/a:off → /a:on"};
  decision.checks = {
      {"on, rand rw 4k", "write IOPS: loss at most 5%", "-2.1%", "-5.0%", "-3.4% to -0.8%",
       "percent", -2.1, -5, stats::Interval{-3.4, -0.8}, Outcome::go, Counts::go, ""},
      {"on, rand rw 4k", "read p99: growth at most 20%", "+18.0%", "+20.0%", "+3.0% to +30.0%",
       "percent", 18, 20, stats::Interval{3, 30}, Outcome::open, Counts::warn, ""},
      {"on",
       "memory of an OSD: growth at most 300 MiB",
       "",
       "+300 MiB",
       "",
       "",
       {},
       314572800,
       {},
       Outcome::no_data,
       Counts::no_go,
       "nothing tells it"}};
  return decision;
}

TEST(DecisionTable, EndsWithTheDecision) {
  const std::string text = render_decision(example(), "table");
  const std::vector<std::string> lines = split(text, '\n');
  EXPECT_EQ(lines[lines.size() - 2], "decision: no-go: 1 of 3 checks is against it");
  EXPECT_NE(text.find("open (warn)"), std::string::npos) << text;
  EXPECT_NE(text.find("no data (no-go)"), std::string::npos) << text;
  EXPECT_NE(text.find("nothing tells it (on)."), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(DecisionTable, FitsTheTerminal) {
  RenderOptions options;
  options.width = 100;
  for (const std::string& line : split(render_decision(example(), "table", options), '\n'))
    EXPECT_LE(display_width(line), 100u) << line;
}

TEST(DecisionMarkdown, EndsWithTheDecision) {
  EXPECT_TRUE(render_decision(example(), "markdown")
                  .ends_with("\n**decision: no-go: 1 of 3 checks is against it**\n"));
}

TEST(DecisionJson, HoldsNumbers) {
  const Json json = Json::parse(render_decision(example(), "json"));
  EXPECT_EQ(json.at("decision"), "no-go");
  EXPECT_EQ(json.at("checks").at(0).at("interval95"), Json({-3.4, -0.8}));
  EXPECT_EQ(json.at("checks").at(2).at("measured"), nullptr);
  EXPECT_EQ(json.at("checks").at(1).at("counts_as"), "warn");
  Decision kept = example();
  kept.checks.resize(2);
  EXPECT_EQ(Json::parse(render_decision(kept, "json")).at("decision"), "go");
  kept.checks[0].outcome = Outcome::not_valid;
  EXPECT_EQ(Json::parse(render_decision(kept, "json")).at("decision"), "not valid");
}

TEST(Decision, HostileTextsStayInTheirCells) {
  Decision decision = example();
  decision.policy = "a\x1b[2J\nb";
  decision.checks[2].candidate = "x|y\r\n\x1b]0;t\x07";
  decision.checks[2].why = "<img>\n| z";
  EXPECT_EQ(render_decision(decision, "table").find('\x1b'), std::string::npos);
  const std::string markdown = render_decision(decision, "markdown");
  EXPECT_EQ(markdown.find("<img>"), std::string::npos);
  EXPECT_EQ(markdown.find("\n| z"), std::string::npos);
  EXPECT_THROW(render_decision(decision, "csv"), Error);
}

}  // namespace
}  // namespace lab::analysis
