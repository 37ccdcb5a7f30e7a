#include "runner/sandbox/directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runner/base/error.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"

namespace lab::sandbox {
namespace {

using std::chrono::milliseconds;

bool same_file(int fd, const fs::path& path) {
  struct stat by_fd {};
  struct stat by_path {};
  return fstat(fd, &by_fd) == 0 && stat(path.c_str(), &by_path) == 0 &&
         by_fd.st_ino == by_path.st_ino && by_fd.st_dev == by_path.st_dev;
}

// True if it made the directory itself, with keys and secrets of one user only in mind.
bool make_private_directory(const fs::path& path) {
  if (path.has_parent_path()) make_directories(path.parent_path());
  if (mkdir(path.c_str(), 0700) == 0) return true;
  if (errno != EEXIST)
    throw environment_error("{}: cannot create the directory: {}", path.string(), strerror(errno));
  return false;
}

// Writes into the lock file that the directory was made along with it; true if it
// was, now or when a lab made it that was killed.
bool remember_making(int fd, const fs::path& lock, bool made) {
  constexpr std::string_view words = "directory made by lab\n";
  if (!made) return read_file(lock) == words;
  if (pwrite(fd, words.data(), words.size(), 0) != static_cast<ssize_t>(words.size()))
    throw environment_error("{}: cannot write: {}", lock.string(), strerror(errno));
  return true;
}

void remove_entry(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw environment_error("{}: cannot remove: {}", path.string(), error.message());
}

}  // namespace

DirectoryLock DirectoryLock::take(const Layout& layout, std::chrono::seconds patience,
                                  const Log& log) {
  auto deadline = std::chrono::steady_clock::now() + patience;
  bool told = false;
  for (;;) {
    bool made = make_private_directory(layout.dir);
    Fd fd(open(layout.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd && errno == ENOENT) continue;  // a `down` has just removed the directory
    if (!fd)
      throw environment_error("{}: cannot open: {}", layout.lock().string(), strerror(errno));
    if (flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
      // The holder before us may have removed the file that we had open.
      if (!same_file(fd.get(), layout.lock())) continue;
      made = remember_making(fd.get(), layout.lock(), made);
      return {std::move(fd), made};
    }
    if (std::chrono::steady_clock::now() >= deadline)
      throw environment_error(
          "{}: another lab is working on this sandbox; wait for it, or choose another --dir",
          layout.dir.string());
    if (!told) log("waiting for another lab that is working on this sandbox");
    told = true;
    interruptible_sleep(milliseconds(100));
  }
}

Finding look_at(const Layout& layout) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(layout.dir, error))) return Finding::absent;
  if (fs::exists(layout.state(), error)) return Finding::sandbox;
  for (const fs::directory_entry& entry : fs::directory_iterator(layout.dir, error))
    if (!is_leftover_entry(entry.path().filename())) return Finding::foreign;
  if (error)
    throw environment_error("{}: cannot look into it: {}", layout.dir.string(), error.message());
  return Finding::absent;
}

void check_ownership(const Layout& layout) {
  struct stat info {};
  if (lstat(layout.dir.c_str(), &info) != 0) {
    if (errno == ENOENT) return;
    throw environment_error("{}: {}", layout.dir.string(), strerror(errno));
  }
  if (S_ISLNK(info.st_mode))
    throw usage_error("--dir={}: a symbolic link; name the directory itself", layout.dir.string());
  if (!S_ISDIR(info.st_mode))
    throw usage_error("--dir={}: this is no directory", layout.dir.string());
  if (info.st_uid != geteuid())
    throw usage_error("--dir={}: belongs to user {}, not to you; choose another",
                      layout.dir.string(), info.st_uid);
}

std::vector<std::string> remove_contents(const Layout& layout) {
  std::vector<std::string> left;
  std::vector<fs::path> own;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(layout.dir, error)) {
    std::string name = entry.path().filename();
    if (!is_sandbox_entry(name))
      left.push_back(name);
    else if (name != layout.state().filename() && name != layout.lock().filename())
      own.push_back(entry.path());
  }
  if (error)
    throw environment_error("{}: cannot look into it: {}", layout.dir.string(), error.message());
  for (const fs::path& path : own) remove_entry(path);
  remove_entry(layout.state());
  std::sort(left.begin(), left.end());
  return left;
}

void remove_directory(const Layout& layout, bool and_directory) {
  remove_entry(layout.lock());
  // If another `up` has already begun there again, it isn't empty, and stays.
  if (and_directory) rmdir(layout.dir.c_str());
}

void preallocate_blocks(const Layout& layout, int osds, uint64_t bytes) {
  uint64_t wanted = static_cast<uint64_t>(osds) * bytes + kSpareBytes;
  uint64_t free = free_bytes(layout.dir);
  if (free < wanted)
    throw environment_error(
        "{}: {} free, but {} OSDs of {} and their logs need {}: free some space, choose a "
        "smaller --osd-size, or another --dir",
        layout.dir.string(), format_bytes(free), osds, format_bytes(bytes), format_bytes(wanted));
  for (int id = 0; id < osds; ++id) {
    check_interrupt();
    fs::path path = layout.block(id);
    make_directories(path.parent_path());
    Fd fd(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_DIRECT, 0600));
    if (!fd && errno == EINVAL)
      throw environment_error(
          "{}: this file system can't do direct I/O, which OSDs need; choose a --dir on a disk",
          layout.dir.string());
    if (!fd) throw environment_error("{}: cannot make: {}", path.string(), strerror(errno));
    if (int error = posix_fallocate(fd.get(), 0, static_cast<off_t>(bytes)); error != 0)
      throw environment_error("{}: cannot allocate {}: {}", path.string(), format_bytes(bytes),
                              strerror(error));
  }
}

}  // namespace lab::sandbox
