// Processes with an allocator preloaded, for tests.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "runner/base/error.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"
#include "runner/hosts/find_library.h"

namespace lab::hosts {

using Environment = std::map<std::string, std::string>;

// The library of this level; none if its package isn't installed, a reason to skip.
inline std::optional<fs::path> installed(const std::string& level) {
  try {
    return find_library(level);
  } catch (const Error&) {
    return {};
  }
}

inline Command preloaded(const fs::path& library, const Environment& environment,
                         std::vector<std::string> argv) {
  Command command{.argv = std::move(argv)};
  // Nothing of this program's own surroundings.
  command.withhold = [](const std::string& name) {
    return name.starts_with("TCMALLOC_") || name.starts_with("MALLOC_") ||
           name.starts_with("MIMALLOC_") || name.starts_with("LD_");
  };
  command.environment = environment;
  command.environment["LD_PRELOAD"] = library.string();
  return command;
}

// What a process that does nothing writes to stderr.
inline std::string words_of(const fs::path& library, const Environment& environment) {
  return run_command(preloaded(library, environment, {"true"}), std::chrono::seconds(20)).err;
}

// One that waits, and has begun to allocate.
class PreloadedProcess {
 public:
  PreloadedProcess(const fs::path& library, const Environment& environment)
      : child_(start(library, environment, directory_.path() / "out")) {
    for (int tries = 0; tries < 1000 && read_file(directory_.path() / "out").empty(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  pid_t pid() const { return child_.pid(); }

 private:
  static Child start(const fs::path& library, const Environment& environment,
                     const fs::path& output) {
    // Not exec'd: the shell that has said so is the process that is looked at.
    Command command =
        preloaded(library, environment, {"sh", "-c", "echo ready; sleep 60; echo done"});
    command.output = output;
    return Child::start(command);
  }

  TemporaryDirectory directory_;
  Child child_;
};

}  // namespace lab::hosts
