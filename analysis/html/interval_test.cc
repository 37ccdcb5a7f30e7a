#include "analysis/html/interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::analysis::html {
namespace {

stats::Judgement judgement(double low, double ratio, double high) {
  stats::Judgement j;
  j.verdict = stats::Verdict::inconclusive;
  j.ratio = ratio;
  j.interval95 = {low, high};
  return j;
}

Table table_of(std::initializer_list<stats::Judgement> judgements) {
  Table table;
  for (const stats::Judgement& j : judgements) table.rows.emplace_back().write.judgement = j;
  return table;
}

TEST(IntervalScale, HoldsTheWidestIntervalOnBothSides) {
  const IntervalScale scale =
      interval_scale(table_of({judgement(0.9, 1, 1.2), judgement(0.5, 0.8, 1.1)}));
  EXPECT_NEAR(scale.low, 0.5, 1e-9);
  EXPECT_NEAR(scale.high, 2, 1e-9);
}

TEST(IntervalScale, IsNeverNarrowerThanTwiceTheMargin) {
  EXPECT_NEAR(interval_scale(table_of({judgement(0.999, 1, 1.001)})).high, 1.03 * 1.03, 1e-9);
  EXPECT_NEAR(interval_scale(table_of({})).high, 1.03 * 1.03, 1e-9);
}

TEST(HasInterval, OnlyWhereStatisticsMadeOne) {
  EXPECT_TRUE(has_interval(judgement(0.9, 1, 1.1)));
  stats::Judgement few = judgement(0.9, 1, 1.1);
  few.verdict = stats::Verdict::descriptive;
  EXPECT_FALSE(has_interval(few));
  EXPECT_FALSE(has_interval(judgement(0, 1, 1.1)));
  EXPECT_FALSE(has_interval(judgement(0.9, std::nan(""), 1.1)));
  EXPECT_FALSE(has_interval(judgement(0.9, 1, INFINITY)));
}

TEST(DrawInterval, PutsNoDifferenceInTheMiddle) {
  const std::string svg = draw_interval(judgement(0.5, 1, 2), {0.5, 2});
  for (const char* part : {"class=\"zero\" d=\"M70.0,0v18\"", "class=\"range\" d=\"M4.0,9H136.0\"",
                           "cx=\"70.0\" cy=\"9\"", "aria-label=\"-50.0% to +100.0%\""})
    EXPECT_NE(svg.find(part), std::string::npos) << part << " in " << svg;
}

}  // namespace
}  // namespace lab::analysis::html
