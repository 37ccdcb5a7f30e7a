#include "results/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::results {
namespace {

std::string own_name() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return fmt::format("process {} on {}", getpid(), host);
}

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory) {
  fs::path path = directory / ".lock";
  fd_ = Fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd_) throw environment_error("{}: cannot open: {}", path.string(), strerror(errno));
  // flock, not fcntl: it also keeps two writers of one process apart, and closing some
  // other descriptor of the file does not drop it.
  if (flock(fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      throw environment_error("{}: cannot lock: {}", path.string(), strerror(errno));
    std::string holder(trim(read_file(path)));
    throw environment_error(
        "{}: another lab is writing here ({}); wait for it to end or choose another directory",
        directory.string(), holder.empty() ? "it has not said who it is" : holder);
  }
  std::string text = own_name() + "\n";
  if (ftruncate(fd_.get(), 0) != 0 ||
      pwrite(fd_.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    throw environment_error("{}: cannot write: {}", path.string(), strerror(errno));
}

}  // namespace lab::results
