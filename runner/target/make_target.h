// The target that was asked for.
#pragma once

#include <memory>

#include "runner/ceph/cluster.h"
#include "runner/experiment/prepared.h"
#include "runner/target/target.h"

namespace lab {

// `cluster` is null for targets that need none.
std::unique_ptr<Target> make_target(const Prepared& prepared, ceph::Cluster* cluster);

}  // namespace lab
