// A directory for files that nobody keeps.
#pragma once

#include <stdlib.h>

#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (fs::temp_directory_path() / "lab-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw environment_error("cannot make a directory in {}", fs::temp_directory_path().string());
    path_ = pattern;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace lab
