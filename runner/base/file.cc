#include "runner/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runner/base/error.h"

namespace lab {
namespace {

Error io_error(std::string_view what, const fs::path& path, int error) {
  return environment_error("{}: cannot {}: {}", path.string(), what, strerror(error));
}

void write_all(int fd, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    ssize_t n = write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw io_error("write", path, errno);
    content.remove_prefix(static_cast<size_t>(n));
  }
}

// 0, or the errno of what went wrong.
int read_whole(const fs::path& path, std::string& content) {
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return errno;
  char buffer[65536];
  for (;;) {
    ssize_t n = read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return 0;
    content.append(buffer, static_cast<size_t>(n));
  }
}

fs::path parent_of(const fs::path& path) {
  fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

void sync_directory(const fs::path& path) {
  Fd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) throw io_error("open", path, errno);
  // Some file systems cannot sync a directory and say EINVAL: nothing to do there.
  if (fsync(fd.get()) != 0 && errno != EINVAL) throw io_error("sync", path, errno);
}

}  // namespace

Fd::~Fd() {
  if (fd_ >= 0) close(fd_);
}

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) close(fd_);
    fd_ = other.release();
  }
  return *this;
}

int Fd::release() {
  int fd = fd_;
  fd_ = -1;
  return fd;
}

std::string read_file(const fs::path& path) {
  std::string content;
  if (const int error = read_whole(path, content)) throw io_error("read", path, error);
  return content;
}

std::string read_file_or_empty(const fs::path& path) {
  std::string content;
  if (read_whole(path, content) != 0) content.clear();
  return content;
}

void write_file_atomically(const fs::path& name, std::string_view content, unsigned mode) {
  std::error_code ignored;
  // A link stays one: what it points to is replaced.
  const fs::path path = fs::is_symlink(name, ignored) ? fs::weakly_canonical(name, ignored) : name;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    throw environment_error("{}: is no regular file, so it is not replaced; choose another name",
                            name.string());
  fs::path temporary = path;
  temporary += ".tmp";
  struct stat old {};
  if (stat(path.c_str(), &old) == 0) mode = old.st_mode & 07777;
  try {
    Fd fd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
    if (!fd) throw io_error("write", temporary, errno);
    write_all(fd.get(), content, temporary);
    if (fsync(fd.get()) != 0) throw io_error("sync", temporary, errno);
    rename_durably(temporary, path);
  } catch (const Error&) {
    unlink(temporary.c_str());
    throw;
  }
}

void append_line(const fs::path& path, std::string_view line) {
  Fd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd) throw io_error("append to", path, errno);
  std::string text(line);
  text += '\n';
  write_all(fd.get(), text, path);
  if (fdatasync(fd.get()) != 0) throw io_error("sync", path, errno);
}

void rename_durably(const fs::path& from, const fs::path& to) {
  if (rename(from.c_str(), to.c_str()) != 0)
    throw io_error("rename " + from.string() + " to", to, errno);
  sync_directory(parent_of(to));
}

void make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw io_error("create directory", path, error.value());
}

void sync_tree(const fs::path& path) {
  if (fs::is_symlink(path)) return;
  if (fs::is_directory(path)) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(path, error)) sync_tree(entry.path());
    if (error) throw io_error("list", path, error.value());
    return sync_directory(path);
  }
  if (!fs::is_regular_file(path)) return;
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) throw io_error("read", path, errno);
  if (fsync(fd.get()) != 0) throw io_error("sync", path, errno);
}

uint64_t free_bytes(const fs::path& path) {
  fs::path existing = fs::absolute(path);
  std::error_code ignored;
  while (!fs::exists(existing, ignored) && existing.has_relative_path())
    existing = existing.parent_path();
  struct statvfs info {};
  if (statvfs(existing.c_str(), &info) != 0)
    throw io_error("stat the file system of", existing, errno);
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace lab
