// The store of one OSD of a sandbox: made, destroyed as if its disk had been replaced, and made
// again under the same number.
#pragma once

#include <string>

#include "runner/base/process.h"
#include "runner/ceph/cluster.h"
#include "runner/sandbox/layout.h"
#include "runner/sandbox/state.h"

namespace lab::sandbox {

// What makes an empty store with this identity, where the OSD's keyring and block file are.
Command make_store_command(int osd, const std::string& uuid, const Layout& layout,
                           const State& state);

// False from the beginning of a destruction to the end of the next making, also if lab was
// killed in between.
bool has_store(int osd, const Layout& layout);

// The OSD must have ended. Its data are gone, and the cluster knows it. Does nothing twice.
// Throws lab::Error (Exit::environment).
void destroy_store(int osd, const Layout& layout, ceph::Cluster& cluster);

// An empty store in the place of the destroyed one; the OSD can be started then. Does nothing
// if it is there. Throws lab::Error (Exit::environment).
void make_store(int osd, const Layout& layout, const State& state, ceph::Cluster& cluster);

}  // namespace lab::sandbox
