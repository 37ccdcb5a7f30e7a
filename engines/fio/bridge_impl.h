// The C++ side of bridge.h, for the engines' own bridges.
#pragma once

#include <cerrno>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "engines/fio/bridge.h"
#include "engines/io/device.h"

struct lab_device {
  std::unique_ptr<lab::io::Device> device;
  std::function<void()> close;  // may throw; the device is destroyed after it
  std::vector<lab::io::Io*> done;
};

struct lab_io {
  lab::io::Io io;
};

namespace lab::fio {

void copy_error(const char* text, char error[LAB_ERROR_BYTES]);

// Runs `f` and turns an exception into its text and an errno for fio. fio's own text
// for that errno follows ours, so it is a general one.
template <typename F>
int guarded(char error[LAB_ERROR_BYTES], F f) {
  try {
    f();
    return 0;
  } catch (const std::exception& e) {
    copy_error(e.what(), error);
  } catch (...) {
    copy_error("unknown error", error);
  }
  return EINVAL;
}

}  // namespace lab::fio
