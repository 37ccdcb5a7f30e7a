// A Ceph process's own options: which are in force in it, and which place each is from.
#pragma once

#include <map>
#include <string>

#include "runner/base/json.h"

namespace lab::ceph {

struct DaemonOption {
  // In force, as the process writes it: "true", "1073741824", "0.1" (or, from another of its
  // commands, "0.100000": compare what it means).
  std::string value;
  // The strongest of the places that set it, weakest first: "default", "mon", "file", "env"
  // (CEPH_ARGS), "cmdline", "override" (set in the process: by `tell … config set`, by
  // rados_conf_set, or by the process itself, as mClock does with the options of recovery),
  // "final".
  std::string source;

  bool operator==(const DaemonOption&) const = default;
};

// By the option's name.
using DaemonOptions = std::map<std::string, DaemonOption>;

// Of the answer to `config diff`, which has those that anything set; all others have their
// default. Throws lab::Error (Exit::environment) if it is no such answer.
DaemonOptions parse_config_diff(const Json& answer);

}  // namespace lab::ceph
