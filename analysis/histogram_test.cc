#include "analysis/histogram.h"

#include <gtest/gtest.h>

#include <random>

#include "analysis/fio_json.h"
#include "runner/base/file.h"

namespace lab::analysis {
namespace {

TEST(Histogram, OrdersAndAddsUp) {
  Histogram h;
  h.add(300, 1);
  h.add(100, 2);
  h.add(300, 4);
  h.add(200, 0);
  EXPECT_EQ(h.bins(), (std::vector<Histogram::Bin>{{100, 2}, {300, 5}}));
  EXPECT_EQ(h.total(), 7u);
}

TEST(Histogram, TakesBinsInAnyOrder) {
  EXPECT_EQ(Histogram::of({{300, 1}, {100, 2}, {300, 4}, {200, 0}}),
            (Histogram{{100, 2}, {300, 5}}));
  EXPECT_TRUE(Histogram::of({}).empty());
}

TEST(Percentile, IsTheFirstBinThatReachesTheShare) {
  Histogram h{{10, 50}, {20, 49}, {30, 1}};
  EXPECT_EQ(h.percentile_ns(50), 10u);
  EXPECT_EQ(h.percentile_ns(50.1), 20u);
  EXPECT_EQ(h.percentile_ns(99), 20u);
  EXPECT_EQ(h.percentile_ns(99.5), 30u);
  EXPECT_EQ(h.percentile_ns(100), 30u);
  EXPECT_EQ(Histogram().percentile_ns(99), std::nullopt);
}

// A slow job's tail is the tail of the whole; the mean of the jobs' percentiles (55 here)
// is nobody's.
TEST(Percentile, OfTwoJobsIsNotTheMeanOfTheirs) {
  Histogram fast{{10, 900}};
  Histogram slow{{100, 100}};
  fast.merge(slow);
  EXPECT_EQ(fast.percentile_ns(50), 10u);
  EXPECT_EQ(fast.percentile_ns(99), 100u);
}

TEST(Percentile, AnySplitMergesToTheSame) {
  std::mt19937_64 random(20261130);
  std::lognormal_distribution<double> latency(13, 0.8);
  for (int round = 0; round < 50; ++round) {
    size_t parts_count = 1 + random() % 9;
    std::vector<Histogram> parts(parts_count);
    Histogram whole;
    for (int i = 0; i < 2000; ++i) {
      auto value = static_cast<uint64_t>(latency(random)) & ~0xfffull;
      whole.add(value, 1);
      parts[random() % parts_count].add(value, 1);
    }
    std::shuffle(parts.begin(), parts.end(), random);
    Histogram merged;
    for (const Histogram& part : parts) merged.merge(part);
    ASSERT_EQ(merged, whole);
    for (double p : {1.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0})
      ASSERT_EQ(merged.percentile_ns(p), whole.percentile_ns(p));
  }
}

// Every percentile that fio printed beside its bins.
TEST(Percentile, AgreesWithFio) {
  for (const char* file : {"grouped.json", "threads.json", "mixed.json", "client.json"}) {
    fs::path path = fs::path(LAB_TESTDATA) / "fio" / file;
    FioOutput output = parse_fio(read_file(path), path.string());
    size_t compared = 0;
    for (const FioJob& job : output.jobs) {
      for (const FioDirection* d : {&job.read, &job.write}) {
        for (const auto& [percent, value_ns] : d->clat.percentiles_ns) {
          EXPECT_EQ(d->clat.bins.percentile_ns(percent), value_ns) << file << " p" << percent;
          ++compared;
        }
      }
    }
    EXPECT_GT(compared, 20u) << file;
  }
}

}  // namespace
}  // namespace lab::analysis
