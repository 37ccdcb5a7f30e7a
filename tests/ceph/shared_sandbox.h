// The sandbox that the cluster tests share, which ctest has started.
#pragma once

#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "runner/sandbox/sandbox.h"

namespace lab {

// The directory behind LAB_TEST_SANDBOX, which is a link in the build tree.
inline fs::path shared_sandbox_dir() {
  const char* dir = getenv("LAB_TEST_SANDBOX");
  if (!dir) throw std::runtime_error("run by ctest, which sets LAB_TEST_SANDBOX");
  return fs::canonical(dir);
}

inline sandbox::Sandbox shared_sandbox() {
  std::optional<sandbox::Sandbox> found = sandbox::Sandbox::find(shared_sandbox_dir());
  if (!found) throw std::runtime_error("no sandbox in " + shared_sandbox_dir().string());
  return *found;
}

inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

// With this environment in place of what the daemon had added before.
inline void restart_with(sandbox::Sandbox& sandbox, const std::string& daemon,
                         const sandbox::Environment& environment) {
  sandbox.redefine(daemon,
                   [&](sandbox::Daemon& definition) { definition.environment = environment; });
  sandbox.restart_daemon(daemon);
}

}  // namespace lab
