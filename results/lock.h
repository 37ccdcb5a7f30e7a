// One writer at a time: a lock on a result directory that ends with its process,
// however that ends.
#pragma once

#include "runner/base/file.h"

namespace lab::results {

class DirectoryLock {
 public:
  // Throws lab::Error (Exit::environment) naming the directory and the process that
  // holds the lock, as far as it has said so.
  explicit DirectoryLock(const fs::path& directory);

 private:
  Fd fd_;
};

}  // namespace lab::results
