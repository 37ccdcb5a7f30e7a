// A device in memory, for tests of what drives devices.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <vector>

#include "engines/io/device.h"

namespace lab::io {

// Completes newest first, as no device promises an order. Never waits: whoever asks for
// more completions than there are would wait for ever, and gets `overasked`.
class MemoryDevice : public Device {
 public:
  explicit MemoryDevice(size_t bytes) : data_(bytes) {}

  uint64_t size_bytes() const override { return data_.size(); }

  int submit(Io& io) override {
    if (pending_.size() >= limit_) return EAGAIN;
    io.error = io.offset >= fail_from_ && io.op != Op::sync ? EIO : 0;
    io.residual = 0;
    if (io.op == Op::sync) ++syncs_;
    if (io.error == 0 && io.op == Op::write) memcpy(data_.data() + io.offset, io.buffer, io.bytes);
    if (io.error == 0 && io.op == Op::read) memcpy(io.buffer, data_.data() + io.offset, io.bytes);
    pending_.push_front(&io);
    most_ = std::max(most_, pending_.size());
    return 0;
  }

  size_t reap(std::span<Io*> done, size_t min, std::chrono::nanoseconds) override {
    overasked_ |= min > pending_.size();
    size_t n = std::min({done.size(), std::max<size_t>(min, 1), pending_.size()});
    for (size_t i = 0; i < n; ++i) {
      done[i] = pending_.front();
      pending_.pop_front();
    }
    return n;
  }

  std::vector<unsigned char> data_;
  std::deque<Io*> pending_;
  uint64_t fail_from_ = UINT64_MAX;
  size_t limit_ = SIZE_MAX;
  size_t most_ = 0;
  int syncs_ = 0;
  bool overasked_ = false;
};

}  // namespace lab::io
