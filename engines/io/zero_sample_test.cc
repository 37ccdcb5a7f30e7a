#include "engines/io/zero_sample.h"

#include <gtest/gtest.h>

#include <string>

namespace lab::io {

TEST(ZeroSample, SeesZerosOfAnyLength) {
  for (size_t bytes : {1, 2, 7, 8, 9, 512, 4096, 4 << 20})
    EXPECT_TRUE(samples_are_zero(std::string(bytes, '\0').data(), bytes)) << bytes;
}

TEST(ZeroSample, LooksAtTheFirstAndTheLastByte) {
  for (size_t bytes : {1, 7, 8, 513, 4096}) {
    std::string first(bytes, '\0');
    first.front() = 1;
    EXPECT_FALSE(samples_are_zero(first.data(), bytes)) << bytes;
    std::string last(bytes, '\0');
    last.back() = 1;
    EXPECT_FALSE(samples_are_zero(last.data(), bytes)) << bytes;
  }
}

TEST(ZeroSample, NothingReadIsNotZeros) { EXPECT_FALSE(samples_are_zero(nullptr, 0)); }

}  // namespace lab::io
