// The directory of a sandbox: locked while something changes it, claimed only if it
// is empty, and emptied only of what a sandbox makes.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "runner/sandbox/layout.h"

namespace lab::sandbox {

using Log = std::function<void(const std::string&)>;

// An exclusive lock on the directory, as long as the object lives; the kernel gives it
// up with its holder. Waits for another holder up to `patience`, then throws
// lab::Error (Exit::environment).
class DirectoryLock {
 public:
  static DirectoryLock take(const Layout& layout, std::chrono::seconds patience, const Log& log);

  // The directory exists because a lock on it was wanted, now or by a lab that was killed.
  bool made_directory() const { return made_directory_; }

 private:
  DirectoryLock(Fd fd, bool made) : fd_(std::move(fd)), made_directory_(made) {}
  Fd fd_;
  bool made_directory_;
};

// What a directory is to a sandbox.
enum class Finding {
  absent,   // or empty, or only what a killed `up` left before it had a state
  sandbox,  // has a state file
  foreign,  // has other things
};
Finding look_at(const Layout& layout);

// Throws lab::Error (Exit::usage) if the directory is not ours to use: a symbolic
// link or another user's (the default place is in a directory that all can write).
void check_ownership(const Layout& layout);

// Removes what the sandbox made; the state file goes last, so that a removal that was
// cut short can be taken up again. Returns the entries that were left, because a
// sandbox doesn't make such.
std::vector<std::string> remove_contents(const Layout& layout);

// After that: removes the lock file too (of which the caller holds the lock), and the
// directory if `and_directory` is set and nothing is left in it.
void remove_directory(const Layout& layout, bool and_directory);

// Makes the OSDs' files with all their blocks allocated, so that no run measures
// the file system's allocation. Throws lab::Error if there isn't room, or if the file
// system can't do direct I/O.
void preallocate_blocks(const Layout& layout, int osds, uint64_t bytes);

// Bytes needed in the file system beside the OSDs' files: logs, the monitor's store.
constexpr uint64_t kSpareBytes = uint64_t{1} << 30;

}  // namespace lab::sandbox
