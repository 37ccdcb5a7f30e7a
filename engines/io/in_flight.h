// I/Os on their way to a device, none of which outlives its buffer.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "engines/io/device.h"

namespace lab::io {

// Throws lab::Error (Exit::environment), beginning with `what`, unless the I/O is complete.
void check_io(const Io& io, std::string_view what);

class InFlight {
 public:
  InFlight(Device& device, size_t most, std::string_view what)
      : device_(device), what_(what), done_(most) {}
  // Waits for the rest.
  ~InFlight();
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  // Throws if the device refuses it.
  void submit(Io& io);
  // Waits for at least one if any is there. Throws if one failed, after all were taken.
  std::span<Io*> reap();
  size_t count() const { return count_; }

 private:
  std::span<Io*> take();

  Device& device_;
  std::string_view what_;
  std::vector<Io*> done_;
  size_t count_ = 0;
};

}  // namespace lab::io
