#include "engines/io/in_flight.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "runner/base/error.h"

namespace lab::io {

void check_io(const Io& io, std::string_view what) {
  if (io.error == 0 && io.residual == 0) return;
  std::string reason = io.error != 0 ? std::generic_category().message(io.error)
                                     : fmt::format("{} bytes were not transferred", io.residual);
  throw environment_error("{} failed at offset {} ({} bytes): {}", what, io.offset, io.bytes,
                          reason);
}

InFlight::~InFlight() {
  while (count_ > 0) take();
}

void InFlight::submit(Io& io) {
  int error = device_.submit(io);
  if (error != 0) {
    io.error = error;
    check_io(io, what_);
  }
  ++count_;
}

std::span<Io*> InFlight::take() {
  size_t n = device_.reap(done_, std::min<size_t>(1, count_), std::chrono::nanoseconds(-1));
  count_ -= n;
  return std::span(done_).first(n);
}

std::span<Io*> InFlight::reap() {
  std::span<Io*> done = take();
  for (const Io* io : done) check_io(*io, what_);
  return done;
}

}  // namespace lab::io
