#include "runner/hosts/unix_sockets.h"

#include <unistd.h>

#include <charconv>
#include <set>
#include <sstream>

#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/hosts/listeners.h"

namespace lab::hosts {
namespace {

constexpr unsigned kAcceptsConnections = 0x10000;  // __SO_ACCEPTCON in the kernel's flags

std::set<uint64_t> sockets_of(pid_t pid) {
  std::set<uint64_t> inodes;
  const fs::path directory = fmt::format("/proc/{}/fd", pid);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    char link[64] = {};
    if (readlink(entry.path().c_str(), link, sizeof link - 1) < 0) continue;
    if (const uint64_t inode = socket_inode(link)) inodes.insert(inode);
  }
  if (error) throw environment_error("{}: {}", directory.string(), error.message());
  return inodes;
}

}  // namespace

std::vector<UnixListener> parse_unix_sockets(std::string_view text) {
  std::vector<UnixListener> found;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    // Num: RefCount Protocol Flags Type St Inode Path
    std::istringstream fields(line);
    std::string number, references, protocol, flags, type, state;
    UnixListener listener;
    if (!(fields >> number >> references >> protocol >> flags >> type >> state >> listener.inode))
      continue;
    unsigned bits = 0;
    if (std::from_chars(flags.data(), flags.data() + flags.size(), bits, 16).ec != std::errc{} ||
        !(bits & kAcceptsConnections))
      continue;
    fields.get();
    std::getline(fields, listener.path);
    // '@' begins a name that is no file.
    if (!listener.path.starts_with('/')) continue;
    found.push_back(std::move(listener));
  }
  return found;
}

std::vector<std::string> listening_unix_sockets(pid_t pid) {
  const std::set<uint64_t> own = sockets_of(pid);
  std::vector<std::string> paths;
  for (const UnixListener& listener :
       parse_unix_sockets(read_file(fmt::format("/proc/{}/net/unix", pid))))
    if (own.contains(listener.inode)) paths.push_back(listener.path);
  return paths;
}

}  // namespace lab::hosts
