#include "engines/io/fill.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "engines/io/memory_device.h"
#include "engines/io/zero_sample.h"
#include "runner/base/error.h"

namespace lab::io {
namespace {

TEST(Fill, WritesEveryByteOnceAndSyncs) {
  MemoryDevice device((1 << 20) + 777);  // the last block is a short one
  uint64_t last = 0;
  FillOptions options{.block_bytes = 65536, .iodepth = 4};
  options.progress = [&](uint64_t done, uint64_t total) {
    EXPECT_GT(done, last);
    EXPECT_EQ(total, device.size_bytes());
    last = done;
  };
  FillResult result = fill(device, options);
  EXPECT_EQ(result.bytes, device.size_bytes());
  EXPECT_EQ(last, device.size_bytes());
  EXPECT_EQ(device.syncs_, 1);
  EXPECT_EQ(device.most_, 4u);
  EXPECT_FALSE(device.overasked_);
  std::vector<unsigned char> expected(device.size_bytes());
  fill_pattern(expected, 0, 1);
  EXPECT_EQ(device.data_, expected);
}

TEST(Fill, EndsWhenItsProgressThrowsAndLeavesNothingInFlight) {
  MemoryDevice device(1 << 20);
  FillOptions options{.block_bytes = 4096, .iodepth = 4};
  uint64_t last = 0;
  options.progress = [&](uint64_t done, uint64_t) {
    last = done;
    if (done >= 65536) throw Error(Exit::interrupted, "interrupted");
  };
  EXPECT_THROW(fill(device, options), Error);
  EXPECT_LT(last, 131072u);
  EXPECT_TRUE(device.pending_.empty());
}

TEST(Fill, AFailedWriteIsNamedAndTheRestIsReaped) {
  MemoryDevice device(1 << 20);
  device.fail_from_ = 524288;
  try {
    fill(device, {.block_bytes = 65536, .iodepth = 4});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("Input/output error"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("offset"), std::string::npos);
  }
  EXPECT_TRUE(device.pending_.empty());
}

TEST(Fill, ARefusedSubmissionIsAnErrorToo) {
  MemoryDevice device(1 << 20);
  device.limit_ = 2;
  EXPECT_THROW(fill(device, {.block_bytes = 65536, .iodepth = 4}), Error);
  EXPECT_TRUE(device.pending_.empty());
}

TEST(FillPattern, DependsOnOffsetAndSeedOnly) {
  std::vector<unsigned char> whole(4096);
  fill_pattern(whole, 100, 7);
  for (size_t at : {0, 1, 3, 8, 13, 4000}) {
    std::vector<unsigned char> part(4096 - at);
    fill_pattern(part, 100 + at, 7);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<long>(at))) << at;
  }
  std::vector<unsigned char> other(4096);
  fill_pattern(other, 100, 8);
  EXPECT_NE(other, whole);
}

TEST(FillPattern, IsNeitherZeroNorRepeating) {
  std::vector<unsigned char> data(1 << 20);
  fill_pattern(data, 0, 1);
  std::set<std::string> words;
  for (size_t at = 0; at < data.size(); at += 4096) {
    EXPECT_FALSE(samples_are_zero(data.data() + at, 4096));
    words.emplace(reinterpret_cast<char*>(data.data() + at), 8);
  }
  EXPECT_EQ(words.size(), data.size() / 4096);
  // Bytes are used evenly: no compressor finds anything.
  std::vector<size_t> histogram(256);
  for (unsigned char c : data) ++histogram[c];
  for (size_t n : histogram) EXPECT_NEAR(static_cast<double>(n), 4096, 6 * 64);
}

}  // namespace
}  // namespace lab::io
