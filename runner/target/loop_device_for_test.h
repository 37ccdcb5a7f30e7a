// A loop device over a sparse file, for tests; detached at the end of its scope.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"

namespace lab {

class LoopDevice {
 public:
  // None where there are no loop devices to be had: not root, or a container without them.
  static std::optional<std::string> why_not() {
    if (geteuid() != 0) return "needs root, to attach a loop device";
    if (access("/dev/loop-control", W_OK) != 0) return "there is no /dev/loop-control here";
    return {};
  }

  explicit LoopDevice(uint64_t size_bytes, bool read_only = false) {
    fs::path file = directory_.path() / "content";
    Fd fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd || ftruncate(fd.get(), static_cast<off_t>(size_bytes)) != 0)
      throw environment_error("{}: {}", file.string(), strerror(errno));
    std::vector<std::string> argv = {"losetup", "--find", "--show", file.string()};
    if (read_only) argv.emplace_back("--read-only");
    device_ = trim(run_checked({.argv = std::move(argv)}, kLimit));
  }
  ~LoopDevice() {
    try {
      run_command({.argv = {"losetup", "--detach", device_}}, kLimit);
    } catch (const Error&) {  // a destructor of a test: the kernel detaches it when it is free
    }
  }
  LoopDevice(const LoopDevice&) = delete;
  LoopDevice& operator=(const LoopDevice&) = delete;

  const std::string& device() const { return device_; }

  void write(uint64_t offset, std::string_view bytes) const {
    Fd fd(open(device_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!fd || pwrite(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)) !=
                   static_cast<ssize_t>(bytes.size()))
      throw environment_error("{}: {}", device_, strerror(errno));
  }

 private:
  static constexpr std::chrono::seconds kLimit{20};
  TemporaryDirectory directory_;
  std::string device_;
};

}  // namespace lab
