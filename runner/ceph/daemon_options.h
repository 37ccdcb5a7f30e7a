// Ceph's options, as the daemon that uses them has them. What the monitors answer
// (`config get`, `config dump`) is what was stored, which a file, the environment, a
// command line or the daemon itself may mask.
#pragma once

#include <string>
#include <vector>

#include "engines/ceph/config_diff.h"
#include "runner/ceph/cluster.h"

namespace lab::ceph {

// These options of a running OSD, wherever it is, or of any daemon on this host (monitor,
// manager, gateway) through its admin socket. Throw lab::Error (Exit::environment) if the
// daemon doesn't answer, or has no option of such a name.
DaemonOptions read_osd_options(Cluster& cluster, int osd, const std::vector<std::string>& names);
DaemonOptions read_local_options(const fs::path& admin_socket,
                                 const std::vector<std::string>& names);

}  // namespace lab::ceph
