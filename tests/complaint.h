// The text of the lab::Error that an action throws, or what happened instead.
#pragma once

#include <functional>
#include <string>

#include "runner/base/error.h"

namespace lab {

inline std::string complaint(const std::function<void()>& action, Exit status = Exit::usage) {
  try {
    action();
  } catch (const Error& e) {
    if (e.status() != status)
      return fmt::format("status {}: {}", static_cast<int>(e.status()), e.what());
    return e.what();
  }
  return "no error";
}

}  // namespace lab
