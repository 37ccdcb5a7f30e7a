// The small interface that every engine of lab implements: I/Os in, completions out.
// Nothing here knows fio; the same code serves fio's jobs, prefilling and the tests.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lab::io {

enum class Op : uint8_t { read, write, trim, sync };

// One I/O. The caller owns it and its buffer until it comes back from reap().
struct Io {
  Op op = Op::read;
  uint64_t offset = 0;  // bytes from the start of the device
  uint64_t bytes = 0;   // 0 for sync
  void* buffer = nullptr;
  void* user = nullptr;  // the caller's, never looked at

  int error = 0;          // on completion: 0 or a positive errno
  uint64_t residual = 0;  // on completion: bytes not transferred
};

// A device opened by one thread (fio: one job). submit and reap are called by
// that thread only; completions may arrive on any.
class Device {
 public:
  virtual ~Device() = default;

  virtual uint64_t size_bytes() const = 0;

  // Takes the I/O, or returns a positive errno and takes nothing. Never blocks
  // for the I/O itself.
  virtual int submit(Io& io) = 0;

  // Fills `done` with completed I/Os: waits until at least `min` (at most
  // done.size()) are there or `timeout` has passed; takes all that are ready
  // and fit. A negative timeout waits for ever. Returns how many.
  virtual size_t reap(std::span<Io*> done, size_t min, std::chrono::nanoseconds timeout) = 0;
};

}  // namespace lab::io
