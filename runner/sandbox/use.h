// Who uses a sandbox right now: so that the lab that started it doesn't take it away from
// under another one.
#pragma once

#include "runner/base/file.h"
#include "runner/sandbox/layout.h"

namespace lab::sandbox {

class Use {
 public:
  // Counts as a user until the object goes, or the process ends. Throws lab::Error
  // (Exit::environment) if the sandbox is being taken down by its last user.
  static Use join(const Layout& layout);

  // True if nobody else uses it; nobody can join from then on.
  bool close_to_others();

 private:
  explicit Use(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace lab::sandbox
