#include "runner/witness/osd_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "runner/hosts/process_memory.h"

namespace lab::witness {
namespace {

TEST(OsdProcess, ThePeakBelongsToTheRun) {
  hosts::Packages packages;
  constexpr size_t kBytes = size_t{64} << 20;
  { const std::vector<char> before(kBytes, 1); }
  ASSERT_TRUE(hosts::reset_peak_rss(getpid()));
  const auto first = look_at_process(3, getpid(), packages);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->osd, 3);
  EXPECT_LT(first->peak_rss_bytes, first->rss_bytes + kBytes / 2);
  { const std::vector<char> during(kBytes, 1); }
  const auto second = look_at_process(3, getpid(), packages);
  EXPECT_GT(second->peak_rss_bytes, first->rss_bytes + kBytes / 2);
  EXPECT_FALSE(second->thread_cache_bytes);
}

TEST(OsdProcess, IsNoneWhenItHasEnded) {
  hosts::Packages packages;
  EXPECT_FALSE(look_at_process(0, 0, packages));
}

}  // namespace
}  // namespace lab::witness
