#include "runner/ceph/daemon_options.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>

#include "engines/ceph/admin_socket.h"
#include "engines/ceph/option_text.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::ceph {
namespace {

constexpr std::chrono::seconds kSocketTimeout{10};

// One command to a daemon: 0 or a negative errno, with the daemon's words in `status`.
using Ask = std::function<int(const Json& command, Json* answer, std::string* status)>;

DaemonOptions read_options(const std::string& daemon, const Ask& ask,
                           const std::vector<std::string>& names) {
  auto require = [&](const Json& command, const std::string& what) {
    Json answer;
    std::string status;
    const int error = ask(command, &answer, &status);
    if (error == 0) return answer;
    throw environment_error("{} cannot tell {}: {}{}{}", daemon, what, strerror(-error),
                            status.empty() ? "" : ": ", status);
  };
  const DaemonOptions set = parse_config_diff(require({{"prefix", "config diff"}}, "its options"));
  DaemonOptions found;
  for (const std::string& name : names) {
    if (auto at = set.find(name); at != set.end()) {
      found.insert(*at);
      continue;
    }
    const Json answer =
        require({{"prefix", "config get"}, {"var", name}}, "its option \"" + name + "\"");
    if (!answer.is_object() || !answer.contains(name))
      throw environment_error("{} gave another answer than its option \"{}\": {}", daemon, name,
                              answer.dump());
    found[name] = {option_text(answer.at(name)), "default"};
  }
  return found;
}

// "ERROR: (2) No such file or directory\nerror getting 'x': …" is how a failure is
// answered here; anything else that is no JSON is none of ours.
int ask_socket(const fs::path& path, const Json& command, Json* answer, std::string* status) {
  const std::string text = admin_socket_command(path, command.dump(), kSocketTimeout);
  int error = 0;
  if (sscanf(text.c_str(), "ERROR: (%d)", &error) == 1 && error != 0) {
    const size_t rest = text.find('\n');
    *status = rest == std::string::npos ? "" : trim(text.substr(rest));
    return error < 0 ? error : -error;
  }
  *answer = Json::parse(text, nullptr, false);
  if (!answer->is_discarded()) return 0;
  *status = text.substr(0, 200);
  return -EBADMSG;
}

}  // namespace

DaemonOptions read_osd_options(Cluster& cluster, int osd, const std::vector<std::string>& names) {
  return read_options(
      fmt::format("osd.{}", osd),
      [&](const Json& command, Json* answer, std::string* status) {
        return cluster.try_osd(osd, command, answer, status);
      },
      names);
}

DaemonOptions read_local_options(const fs::path& admin_socket,
                                 const std::vector<std::string>& names) {
  return read_options(
      "the daemon at " + admin_socket.string(),
      [&](const Json& command, Json* answer, std::string* status) {
        return ask_socket(admin_socket, command, answer, status);
      },
      names);
}

}  // namespace lab::ceph
