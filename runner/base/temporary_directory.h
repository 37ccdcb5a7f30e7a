// A directory that is gone at the end of its scope.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (fs::temp_directory_path() / "lab-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw environment_error("{}: {}", pattern, strerror(errno));
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace lab
