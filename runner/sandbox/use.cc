#include "runner/sandbox/use.h"

#include <fcntl.h>
#include <sys/file.h>

#include "runner/base/error.h"

namespace lab::sandbox {

Use Use::join(const Layout& layout) {
  Fd fd(open(layout.users().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd || flock(fd.get(), LOCK_SH | LOCK_NB) != 0)
    throw environment_error("{}: the sandbox is just being taken down by another lab; try again",
                            layout.dir.string());
  return Use(std::move(fd));
}

bool Use::close_to_others() { return flock(fd_.get(), LOCK_EX | LOCK_NB) == 0; }

}  // namespace lab::sandbox
