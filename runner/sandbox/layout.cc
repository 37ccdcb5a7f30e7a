#include "runner/sandbox/layout.h"

#include <fmt/format.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace lab::sandbox {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

}  // namespace

fs::path default_directory() {
  if (const char* dir = getenv("LAB_SANDBOX_DIR"); dir && *dir) return fs::absolute(dir);
  return fmt::format("/var/tmp/lab-sandbox-{}", getuid());
}

std::optional<std::string> unfit_path(const Layout& layout, int osds) {
  const std::string& dir = layout.dir.native();
  for (unsigned char c : dir) {
    // The rest means something to Ceph's configuration file, or to lists in it.
    if (std::isalnum(c) ||
        std::string_view("/._-+@~:%").find(static_cast<char>(c)) != std::string_view::npos)
      continue;
    return fmt::format(
        "the path has the character '{}', which Ceph's configuration file can't hold; choose "
        "another --dir",
        static_cast<char>(c));
  }
  size_t longest = 0;
  for (const std::string& daemon : {std::string("client.rgw.a"), fmt::format("osd.{}", osds - 1)})
    longest = std::max(longest, layout.socket(daemon).native().size());
  constexpr size_t limit = sizeof(sockaddr_un::sun_path) - 1;
  if (longest > limit)
    return fmt::format(
        "the path is too long: the daemons' admin sockets below it would have {} characters and "
        "the system allows {}; choose a --dir that is {} shorter",
        longest, limit, longest - limit);
  return {};
}

bool is_sandbox_entry(const std::string& name) {
  // A file that is replaced atomically may have been left half-replaced by a kill.
  const std::string_view file =
      name.ends_with(".tmp") ? std::string_view(name).substr(0, name.size() - 4) : name;
  for (const char* own : {"ceph.conf", "keyring", "state.json", "lock", "users", "monmap",
                          "mon.keyring", "run", "log", "crash", "mon.a", "mgr.a", "rgw.a"})
    if (file == own) return true;
  return name.starts_with("osd.") && all_digits(std::string_view(name).substr(4));
}

bool is_leftover_entry(const std::string& name) {
  return name == "lock" || name == "state.json.tmp";
}

}  // namespace lab::sandbox
