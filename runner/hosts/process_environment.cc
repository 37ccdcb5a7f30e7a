#include "runner/hosts/process_environment.h"

#include <fmt/format.h>

#include "runner/base/file.h"

namespace lab::hosts {

std::map<std::string, std::string> parse_environ(std::string_view environ) {
  std::map<std::string, std::string> variables;
  while (!environ.empty()) {
    const std::string_view entry = environ.substr(0, environ.find('\0'));
    environ.remove_prefix(std::min(environ.size(), entry.size() + 1));
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return variables;
}

std::map<std::string, std::string> read_environ(pid_t pid) {
  return parse_environ(read_file(fmt::format("/proc/{}/environ", pid)));
}

}  // namespace lab::hosts
