#include "analysis/plot/series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::analysis {
namespace {

TEST(SeriesSampler, KeepsTheExtremesHoweverLongItGets) {
  SeriesSampler sampler(64);
  for (int i = 0; i < 200000; ++i) {
    const double value = i == 123456 ? 1e9 : i == 77777 ? -1e9 : std::sin(i);
    sampler.add("a", i, value);
  }
  const std::vector<Bucket>& buckets = sampler.series().at("a");
  ASSERT_EQ(buckets.size(), 64u);
  Bucket all;
  size_t used = 0;
  for (const Bucket& bucket : buckets) {
    all.merge(bucket);
    used += bucket.used ? 1 : 0;
  }
  EXPECT_EQ(all.max, 1e9);
  EXPECT_EQ(all.max_time_s, 123456);
  EXPECT_EQ(all.min, -1e9);
  EXPECT_EQ(all.min_time_s, 77777);
  EXPECT_GT(used, 32u) << "the picture keeps its resolution";
}

TEST(SeriesSampler, SamplesStandInTheirBucket) {
  SeriesSampler sampler(8);
  for (double t : {0.0, 1.0, 2.0, 3.5, 100.0}) sampler.add("a", t, t);
  const std::vector<Bucket>& buckets = sampler.series().at("a");
  for (size_t i = 0; i < buckets.size(); ++i) {
    if (!buckets[i].used) continue;
    EXPECT_GE(buckets[i].min_time_s, sampler.bucket_s() * static_cast<double>(i));
    EXPECT_LT(buckets[i].max_time_s, sampler.bucket_s() * static_cast<double>(i + 1));
  }
}

TEST(PhaseSpans, AreStretchesOfOneName) {
  PhaseSpans spans;
  for (auto [phase, time] : {std::pair("baseline", 0.0),
                             {"baseline", 5.0},
                             {"recovering", 6.0},
                             {"recovering", 9.0},
                             {"baseline", 10.0}})
    spans.add(phase, time);
  ASSERT_EQ(spans.spans().size(), 3u);
  EXPECT_EQ(spans.spans()[0].end_s, 5);
  EXPECT_EQ(spans.spans()[1].name, "recovering");
  EXPECT_EQ(spans.spans()[2].begin_s, 10);
}

}  // namespace
}  // namespace lab::analysis
