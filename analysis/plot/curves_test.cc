#include "analysis/plot/curves.h"

#include <gtest/gtest.h>

namespace lab::analysis {
namespace {

std::vector<Bucket> buckets() {
  std::vector<Bucket> out(4);
  out[0].add(0.2, 30);  // falls
  out[0].add(0.4, 10);
  out[0].add(0.5, 20);
  out[2].add(2.5, 40);  // one sample
  out[3].add(3.1, 50);  // rises
  out[3].add(3.9, 60);
  return out;
}

TEST(Extremes, ComeInTheOrderOfTime) {
  EXPECT_EQ(extremes(buckets(), 10, "\tx"),
            "0.200\t3\tx\n0.400\t1\tx\n2.500\t4\tx\n3.100\t5\tx\n3.900\t6\tx\n");
}

TEST(Bands, AreLeastMeanAndMost) {
  EXPECT_EQ(bands(buckets(), 1, 10, ""), "0.500\t1\t2\t3\n2.500\t4\t4\t4\n3.500\t5\t5.5\t6\n");
}

TEST(TimeAxis, TakesTheUnitThatFits) {
  EXPECT_EQ(time_axis(60).unit_s, 1);
  EXPECT_EQ(time_axis(3600).unit_s, 60);
  EXPECT_EQ(time_axis(86400).unit_s, 3600);
  EXPECT_EQ(time_axis(30 * 86400).unit_s, 86400);
  EXPECT_NE(time_axis(3600).commands.find("[0:60]"), std::string::npos);
}

}  // namespace
}  // namespace lab::analysis
