// The Ceph configuration of a sandbox, as a text.
#pragma once

#include <string>

#include "runner/sandbox/layout.h"
#include "runner/sandbox/options.h"
#include "runner/sandbox/ports.h"

namespace lab::sandbox {

std::string ceph_conf(const Layout& layout, const Options& options, const Ports& ports,
                      const std::string& fsid);

// Two copies, or one if there is one OSD or one of several hosts only.
int replicas(const Options& options);

// The CRUSH host bucket that an OSD goes to.
std::string crush_host(const Options& options, int osd);

}  // namespace lab::sandbox
