#include "runner/tuning/host_board.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runner/base/text.h"

namespace lab {

std::optional<std::string> sysctl_mistake(const std::string& name) {
  // Documentation/admin-guide/sysctl/vm.rst: of each pair one is in force, and reads as 0.
  for (const char* half : {"vm.dirty_bytes", "vm.dirty_ratio", "vm.dirty_background_bytes",
                           "vm.dirty_background_ratio"})
    if (name == half)
      return "the kernel forgets its counterpart (bytes or ratio) when it is set, so that it can't "
             "be put back; set it by hand, the same for all cells";
  return {};
}

std::string sysctl_path(const std::string& name) {
  std::string path;
  for (const char c : name) path += c == '.' ? '/' : c == '/' ? '.' : c;
  const std::vector<std::string> parts = split(path, '/');
  const bool fit = std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part.empty() || part == "." || part == "..";
  });
  if (!fit || parts.size() < 2)
    throw usage_error("\"{}\" is no kernel parameter; write vm.swappiness", name);
  return path;
}

KnobValue HostBoard::read(const Knob& knob) {
  const fs::path file = root_ / sysctl_path(knob.name);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  return std::string(trim(read_file(file)));
}

void HostBoard::set(const Knob& knob, const KnobValue& value) {
  const fs::path file = root_ / sysctl_path(knob.name);
  if (!value) throw environment_error("sysctl {}: this kernel has no such parameter", knob.name);
  // Not replaced by a rename, as files are: it is the kernel that reads what is written.
  const Fd fd(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd || write(fd.get(), value->data(), value->size()) != static_cast<ssize_t>(value->size()))
    throw environment_error("sysctl {}: cannot set it to \"{}\": {}", knob.name, *value,
                            strerror(errno));
}

}  // namespace lab
