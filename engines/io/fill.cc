#include "engines/io/fill.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "engines/io/in_flight.h"

namespace lab::io {
namespace {

using Clock = std::chrono::steady_clock;

// SplitMix64 (Steele, Lea, Flood 2014): the finalizer over a counter; several GB/s a core.
uint64_t mix(uint64_t counter) {
  uint64_t z = counter * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

struct Free {
  void operator()(void* p) const { std::free(p); }
};

struct Block {
  std::unique_ptr<unsigned char, Free> data;
  Io io;
};

}  // namespace

void fill_pattern(std::span<unsigned char> out, uint64_t offset, uint64_t seed) {
  const uint64_t base = seed << 44;  // seeds apart by more words than a device has
  uint64_t word = offset / 8;
  size_t at = 0;
  if (size_t skip = offset % 8; skip != 0 && !out.empty()) {
    uint64_t value = mix(base + ++word);
    at = std::min(8 - skip, out.size());
    memcpy(out.data(), reinterpret_cast<unsigned char*>(&value) + skip, at);
  }
  for (; at + 8 <= out.size(); at += 8) {
    uint64_t value = mix(base + ++word);
    memcpy(out.data() + at, &value, 8);
  }
  if (at < out.size()) {
    uint64_t value = mix(base + ++word);
    memcpy(out.data() + at, &value, out.size() - at);
  }
}

FillResult fill(Device& device, const FillOptions& options) {
  auto start = Clock::now();
  const uint64_t total = device.size_bytes();
  const unsigned iodepth = std::max(1u, options.iodepth);
  FillResult result;
  std::vector<Block> blocks(iodepth);
  std::vector<Block*> free_blocks;
  for (Block& block : blocks) {
    block.data.reset(static_cast<unsigned char*>(
        std::aligned_alloc(4096, (options.block_bytes + 4095) / 4096 * 4096)));
    if (!block.data) throw std::bad_alloc();
    block.io.user = &block;
    free_blocks.push_back(&block);
  }

  InFlight in_flight(device, iodepth, "prefilling");
  uint64_t next = 0;
  while (next < total || in_flight.count() > 0) {
    while (next < total && !free_blocks.empty()) {
      Block& block = *free_blocks.back();
      block.io.op = Op::write;
      block.io.offset = next;
      block.io.bytes = std::min(options.block_bytes, total - next);
      block.io.buffer = block.data.get();
      fill_pattern({block.data.get(), block.io.bytes}, next, options.seed);
      in_flight.submit(block.io);
      free_blocks.pop_back();
      next += block.io.bytes;
    }
    for (Io* io : in_flight.reap()) {
      free_blocks.push_back(static_cast<Block*>(io->user));
      result.bytes += io->bytes;
      if (options.progress) options.progress(result.bytes, total);
    }
  }
  Io sync;
  sync.op = Op::sync;
  in_flight.submit(sync);
  in_flight.reap();
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace lab::io
