#include "engines/io/sample.h"

#include <gtest/gtest.h>

#include "engines/io/fill.h"
#include "engines/io/memory_device.h"
#include "runner/base/error.h"

namespace lab::io {
namespace {

TEST(SampleForZeros, FindsNoneInAFilledDevice) {
  MemoryDevice device(1 << 20);
  fill(device, {.block_bytes = 65536});
  ZeroSample sample = sample_for_zeros(device, {.samples = 300});
  EXPECT_EQ(sample.samples, 300u);
  EXPECT_EQ(sample.zeros, 0u);
  EXPECT_FALSE(device.overasked_);
}

TEST(SampleForZeros, FindsTheirShare) {
  MemoryDevice device(8 << 20);
  fill(device, {});
  std::fill(device.data_.begin(), device.data_.begin() + (2 << 20), 0);
  ZeroSample sample = sample_for_zeros(device, {.samples = 2000});
  EXPECT_NEAR(static_cast<double>(sample.zeros), 500, 100);
}

TEST(SampleForZeros, AFailedReadIsAnError) {
  MemoryDevice device(1 << 20);
  device.fail_from_ = 1 << 19;
  EXPECT_THROW(sample_for_zeros(device, {}), Error);
  EXPECT_TRUE(device.pending_.empty());
}

TEST(SampleForZeros, ADeviceSmallerThanABlockHasNoSamples) {
  MemoryDevice device(100);
  EXPECT_EQ(sample_for_zeros(device, {}).samples, 0u);
}

}  // namespace
}  // namespace lab::io
