// Ceph's options, as the daemon that uses them has them. What the monitors answer
// (`config get`, `config dump`) is what was stored, which a file, the environment, a
// command line or the daemon itself may mask.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runner/ceph/cluster.h"

namespace lab::ceph {

struct DaemonOption {
  // In force, as the daemon writes it: "true", "1073741824", "0.1" (or, from another of its
  // commands, "0.100000": compare what it means).
  std::string value;
  // The strongest of the places that set it, weakest first: "default", "mon", "file", "env"
  // (CEPH_ARGS), "cmdline", "override" (set in the process: by `tell … config set`, or by
  // the daemon itself, as mClock does with the options of recovery), "final".
  std::string source;

  bool operator==(const DaemonOption&) const = default;
};

// By the option's name.
using DaemonOptions = std::map<std::string, DaemonOption>;

// Of the answer to `config diff`, which has those that anything set; all others have their
// default. Throws lab::Error (Exit::environment) if it is no such answer.
DaemonOptions parse_config_diff(const Json& answer);

// These options of a running OSD, wherever it is, or of any daemon on this host (monitor,
// manager, gateway) through its admin socket. Throw lab::Error (Exit::environment) if the
// daemon doesn't answer, or has no option of such a name.
DaemonOptions read_osd_options(Cluster& cluster, int osd, const std::vector<std::string>& names);
DaemonOptions read_local_options(const fs::path& admin_socket,
                                 const std::vector<std::string>& names);

}  // namespace lab::ceph
