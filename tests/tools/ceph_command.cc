// ceph-command CONF mon|mgr|osd.N JSON: one command to a cluster, its answer as JSON
// on stdout. For tests, so that they don't need the ceph program.
#include <cstdio>
#include <string>

#include "runner/base/error.h"
#include "runner/ceph/cluster.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: ceph-command CONF mon|mgr|osd.N JSON\n");
    return 2;
  }
  try {
    auto cluster = lab::ceph::Cluster::connect({.conf = argv[1]});
    std::string target = argv[2];
    lab::Json command = lab::Json::parse(argv[3]);
    lab::Json answer;
    if (target == "mon")
      answer = cluster->mon(command);
    else if (target == "mgr")
      answer = cluster->mgr(command);
    else
      answer = cluster->osd(std::stoi(target.substr(target.find('.') + 1)), command);
    fmt::print("{}\n", answer.is_string() ? answer.get<std::string>() : answer.dump(2));
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "ceph-command: {}\n", e.what());
    return 1;
  }
}
