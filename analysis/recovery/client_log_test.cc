#include "analysis/recovery/client_log.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"

namespace lab::analysis {
namespace {

// `count` completions in one bin.
std::string line(uint64_t at_ms, int direction, size_t bin, uint64_t count) {
  std::string text = std::to_string(at_ms) + ", " + std::to_string(direction) + ", 4096";
  for (size_t i = 0; i < 1856; ++i) text += ", " + std::to_string(i == bin ? count : 0);
  return text + "\n";
}

TEST(ClientLog, BinsHaveTheLatenciesThatFioPrints) {
  // As `clat_ns.bins` of fio 3.33's json+ names them.
  EXPECT_EQ(latency_of_bin(0), 0u);
  EXPECT_EQ(latency_of_bin(127), 127u);
  EXPECT_EQ(latency_of_bin(128), 129u);
  EXPECT_EQ(latency_of_bin(129), 131u);
  EXPECT_EQ(latency_of_bin(191), 255u);
  EXPECT_EQ(latency_of_bin(192), 258u);
}

TEST(ClientLog, ALineIsTimeDirectionBlockAndBins) {
  ClientSample sample;
  std::string text = line(1796065394250, 1, 200, 7);
  text.pop_back();
  ASSERT_TRUE(parse_client_line(text, sample));
  EXPECT_EQ(sample.at_ms, 1796065394250);
  EXPECT_TRUE(sample.write);
  EXPECT_EQ(sample.count, 7u);
  EXPECT_EQ(sample.bins, (std::vector<Histogram::Bin>{{latency_of_bin(200), 7}}));
  for (const char* damaged :
       {"", "1", "1, 0, 4096", "1, 0, 4096, x", "x, 0, 4096, 1", "1, 3, 4096, 1"})
    EXPECT_FALSE(parse_client_line(damaged, sample)) << damaged;
}

TEST(ClientLog, AllJobsAreReadAndTrimsPassedOver) {
  const TemporaryDirectory dir;
  write_file_atomically(dir.path() / "client_clat_hist.1.log",
                        line(1000, 0, 3, 1) + line(1000, 2, 3, 1) + "rubbish\n");
  write_file_atomically(dir.path() / "client_clat_hist.2.log", line(1000, 1, 3, 5));
  write_file_atomically(dir.path() / "other_clat_hist.1.log", line(1000, 1, 3, 9));
  uint64_t reads = 0;
  uint64_t writes = 0;
  results::DamagedLines damaged;
  read_client_logs(
      dir.path(),
      [&](const ClientSample& sample) { (sample.write ? writes : reads) += sample.count; },
      damaged);
  EXPECT_EQ(reads, 1u);
  EXPECT_EQ(writes, 5u);
  EXPECT_EQ(damaged.count, 1u);
}

}  // namespace
}  // namespace lab::analysis
