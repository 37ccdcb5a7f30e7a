// ceph-command CONF mon|mgr|osd.N|/path/to/admin/socket JSON: one command to a cluster or to one of
// its daemons, the answer as JSON on stdout. For tests, so that they don't need the ceph program.
#include <cstdio>
#include <string>

#include "engines/ceph/admin_socket.h"
#include "runner/base/error.h"
#include "runner/ceph/cluster.h"

namespace {

lab::Json ask(const std::string& conf, const std::string& target, const std::string& command) {
  if (target.starts_with('/')) {
    const std::string answer =
        lab::ceph::admin_socket_command(target, command, std::chrono::seconds(10));
    return lab::Json::parse(answer);
  }
  auto cluster = lab::ceph::Cluster::connect({.conf = conf});
  const lab::Json json = lab::Json::parse(command);
  if (target == "mon") return cluster->mon(json);
  if (target == "mgr") return cluster->mgr(json);
  return cluster->osd(std::stoi(target.substr(target.find('.') + 1)), json);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: ceph-command CONF mon|mgr|osd.N|SOCKET JSON\n");
    return 2;
  }
  try {
    const lab::Json answer = ask(argv[1], argv[2], argv[3]);
    fmt::print("{}\n", answer.is_string() ? answer.get<std::string>() : answer.dump(2));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "ceph-command: {}\n", e.what());
    return 1;
  }
}
