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
    used += bucket.used() ? 1 : 0;
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
    if (!buckets[i].used()) continue;
    EXPECT_GE(buckets[i].min_time_s, sampler.bucket_s() * static_cast<double>(i));
    EXPECT_LT(buckets[i].max_time_s, sampler.bucket_s() * static_cast<double>(i + 1));
  }
}

TEST(SeriesSampler, ManySeriesShareTheBuckets) {
  SeriesSampler sampler(1024);
  constexpr size_t kSeries = 4000;
  for (int t = 0; t < 100; ++t)
    for (size_t s = 0; s < kSeries; ++s)
      sampler.add(std::to_string(s), t, t == 37 && s == 1234 ? 1e9 : 5);
  size_t buckets = 0;
  uint64_t samples = 0;
  Bucket all;
  for (const auto& [name, series] : sampler.series()) {
    buckets += series.size();
    for (const Bucket& bucket : series) {
      samples += bucket.count;
      all.merge(bucket);
    }
  }
  EXPECT_LE(buckets, SeriesSampler::kMostBuckets);
  EXPECT_GE(buckets, kSeries * 64);
  EXPECT_EQ(samples, 100 * kSeries);
  EXPECT_EQ(all.max, 1e9);
  EXPECT_EQ(all.max_time_s, 37);
  EXPECT_NEAR(all.mean(), (1e9 + (100 * kSeries - 1) * 5.0) / (100 * kSeries), 1e-6);
}

TEST(SeriesSampler, TakesAnyFiniteTime) {
  SeriesSampler sampler(16);
  sampler.add("a", 1, 1);
  sampler.add("a", 1e300, 2);
  Bucket all;
  for (const Bucket& bucket : sampler.series().at("a")) all.merge(bucket);
  EXPECT_EQ(all.count, 2u);
}

TEST(PhaseSpans, LateSamplesOfAPhaseThatIsOverBeginNoOther) {
  PhaseSpans spans;
  spans.add("baseline", 10);
  spans.add("recovering", 11);
  spans.add("baseline", 10.5);
  spans.add("recovering", 12);
  ASSERT_EQ(spans.spans().size(), 2u);
  EXPECT_EQ(spans.spans()[1].end_s, 12);
}

TEST(PhaseSpans, AreNotCountedWithoutEnd) {
  PhaseSpans spans;
  for (int i = 0; i < 100000; ++i) spans.add(i % 2 ? "a" : "b", i);
  EXPECT_EQ(spans.spans().size(), PhaseSpans::kMost);
  EXPECT_TRUE(spans.incomplete());
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
