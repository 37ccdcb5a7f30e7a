// The monitors' configuration database, entry by entry, so that each can be put back as it
// was. What a daemon makes of it: daemon_options.h. (Of two entries for one daemon, that
// with a mask wins in 16.2 even if its section is the wider one: osd/class:ssd before osd.1.)
#pragma once

#include <string>
#include <vector>

#include "runner/ceph/cluster.h"

namespace lab::ceph {

// Section, mask and name together are the key.
struct ConfigEntry {
  std::string section;  // "global", "osd", "osd.1", "client.rgw.a"
  std::string mask;     // "class:ssd", "host:a"; empty: none
  std::string name;     // of managers' modules with their path: "mgr/balancer/active"
  std::string value;

  bool operator==(const ConfigEntry&) const = default;
};

// For `config set` and `config rm`: "osd/class:ssd", "osd.1", "global".
std::string who(const ConfigEntry& entry);

// Of the answer to `config dump`. Throws lab::Error (Exit::environment) if it is none.
std::vector<ConfigEntry> parse_config_dump(const Json& answer);
std::vector<ConfigEntry> read_config_dump(Cluster& cluster);

}  // namespace lab::ceph
