// Files that are never half-written, and the few file helpers everybody needs.
// All functions throw lab::Error (Exit::environment) naming the path and errno's text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

namespace fs = std::filesystem;

// The whole content of a file.
std::string read_file(const fs::path& path);
// Of one that may be gone at any time, as files of /proc of a process that ends, or be another
// user's: empty if it can't be read, without the cost of an exception.
std::string read_file_or_empty(const fs::path& path);

// Replaces the file by a temporary one beside it, synced and renamed: a reader
// sees the old content or the new, also after a power cut. Keeps the mode of
// an existing file; `mode` is for a new one. A symbolic link stays, and its target is
// replaced; a device, a pipe or a directory is refused.
void write_file_atomically(const fs::path& path, std::string_view content, unsigned mode = 0644);

// Appends one line (the newline is added) with a single write, and syncs it.
void append_line(const fs::path& path, std::string_view line);

// Renames and syncs the directories, so that the rename survives a power cut.
void rename_durably(const fs::path& from, const fs::path& to);

void make_directories(const fs::path& path);

// Syncs every file and directory below and including `path`: what other programs
// left there is then on disk.
void sync_tree(const fs::path& path);

// Bytes free for this user in the file system that holds `path` (or its
// nearest existing parent).
uint64_t free_bytes(const fs::path& path);

// An owned file descriptor.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  ~Fd();
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  int get() const { return fd_; }
  int release();
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace lab
