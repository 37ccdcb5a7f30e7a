// Prefilling: reads of what was never written are answered without a disk, so an image
// is written whole, with data that no zero detection and no compression makes smaller.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engines/io/device.h"

namespace lab::io {

struct FillOptions {
  uint64_t block_bytes = 4 << 20;
  unsigned iodepth = 16;
  uint64_t seed = 1;
  // Called by the filling thread after every block, with bytes. What it throws ends the
  // filling, after what is on its way.
  std::function<void(uint64_t done, uint64_t total)> progress;
};

struct FillResult {
  uint64_t bytes = 0;
  double seconds = 0;
};

// Writes the device from its first to its last byte and syncs it. Throws lab::Error
// (Exit::environment) if an I/O fails.
FillResult fill(Device& device, const FillOptions& options);

// Pseudo-random bytes that depend only on the seed and the offset in the device, so
// that any part can be made again.
void fill_pattern(std::span<unsigned char> out, uint64_t offset, uint64_t seed);

}  // namespace lab::io
