// What a cluster is and how to reach it: one JSON file (with comments) per cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/base/json.h"

namespace lab {

enum class ClusterClass { sandbox, staging, production };

// A cluster on loopback that lab starts itself when it isn't running.
struct SandboxSpec {
  fs::path dir;  // empty: the default one of `lab sandbox`
};

// A process whose memory and CPU are followed beside the daemons of Ceph.
struct NamedProcess {
  std::string name;
  // One of the three says which it is; the others are empty.
  fs::path pid_file;
  std::string unit;     // of systemd: "nginx.service"
  std::string command;  // base name of its program, or the beginning of its command line
  std::string metrics;  // URL of its Prometheus endpoint; empty: none
};

struct Inventory {
  std::string name;  // the file, as errors and results call it
  ClusterClass cluster_class = ClusterClass::production;
  std::optional<SandboxSpec> sandbox;  // if set, conf and keyring are the sandbox's own

  std::string cluster = "ceph";
  fs::path conf;
  fs::path keyring;  // empty: the one that conf names
  std::string client = "client.admin";

  std::string pool;
  std::string pool_namespace;  // RADOS namespace; empty: none
  std::string image;           // an existing image to load; empty: lab makes its own

  // How its daemons are started on this host, so that lab can start them anew.
  enum class Daemons { unknown, systemd } daemons = Daemons::unknown;

  // On this host; each has a name of its own.
  std::vector<NamedProcess> processes;

  // The largest size of a job on this cluster, in bytes: a job written for 10G volumes
  // runs on a small cluster with this instead. None: as the job says.
  std::optional<uint64_t> size_limit;
};

std::string to_text(ClusterClass cluster_class);

// Paths are taken relative to the file. Throws lab::Error (Exit::usage) with file, line and
// key for mistakes in it, and if conf or keyring don't exist.
Inventory load_inventory(const fs::path& path);

}  // namespace lab
