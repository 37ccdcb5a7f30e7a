#include "engines/io/fill.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>
#include <vector>

#include "runner/base/error.h"

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

void check(const Io& io) {
  if (io.error == 0 && io.residual == 0) return;
  std::string reason = io.error != 0 ? std::generic_category().message(io.error)
                                     : fmt::format("{} bytes were not written", io.residual);
  throw environment_error("prefilling failed at offset {} ({} bytes): {}", io.offset, io.bytes,
                          reason);
}

// Whatever happens, no I/O may outlive its buffer.
class InFlight {
 public:
  InFlight(Device& device, size_t most) : device_(device), done_(most) {}
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  ~InFlight() {
    while (count_ > 0) reap(count_);
  }

  void submit(Io& io) {
    int error = device_.submit(io);
    if (error != 0) {
      io.error = error;
      check(io);
    }
    ++count_;
  }
  std::span<Io*> reap(size_t min) {
    size_t n = device_.reap(done_, min, std::chrono::nanoseconds(-1));
    count_ -= n;
    return std::span(done_).first(n);
  }
  size_t count() const { return count_; }

 private:
  Device& device_;
  std::vector<Io*> done_;
  size_t count_ = 0;
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

  InFlight in_flight(device, iodepth);
  uint64_t next = 0;
  auto cancelled = [&] { return options.cancel && options.cancel->load(); };
  while ((next < total && !cancelled()) || in_flight.count() > 0) {
    while (next < total && !free_blocks.empty() && !cancelled()) {
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
    for (Io* io : in_flight.reap(std::min<size_t>(1, in_flight.count()))) {
      check(*io);
      free_blocks.push_back(static_cast<Block*>(io->user));
      result.bytes += io->bytes;
      if (options.progress) options.progress(result.bytes, total);
    }
  }
  Io sync;
  sync.op = Op::sync;
  in_flight.submit(sync);
  for (Io* io : in_flight.reap(1)) check(*io);
  result.cancelled = result.bytes < total;
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace lab::io
