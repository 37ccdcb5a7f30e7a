// Whether a device holds data all over: no listing of extents tells that to the block,
// a few hundred reads do.
#pragma once

#include <cstdint>

#include "engines/io/device.h"

namespace lab::io {

struct SampleOptions {
  unsigned samples = 1000;
  uint64_t block_bytes = 4096;
  unsigned iodepth = 16;
  uint64_t seed = 1;
};

struct ZeroSample {
  uint64_t samples = 0;
  uint64_t zeros = 0;  // reads that looked never-written (samples_are_zero)
};

// Reads blocks at places spread evenly at random over the device. With no zeros among n
// samples, less than 3/n of the device is unwritten, with 95% confidence (rule of
// three). Throws lab::Error (Exit::environment) if a read fails.
ZeroSample sample_for_zeros(Device& device, const SampleOptions& options);

}  // namespace lab::io
