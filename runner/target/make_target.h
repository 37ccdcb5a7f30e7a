// The target that was asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inventory/inventory.h"
#include "runner/ceph/cluster.h"
#include "runner/target/target.h"

namespace lab {

struct TargetSpec {
  std::string target;
  std::optional<Inventory> inventory;  // of cluster targets
  uint64_t span_bytes = 0;  // that the job needs from the start of its device; 0: all of it
  std::string mark;         // this experiment's own, stable over --resume
  std::vector<std::string> destroy_data;
  std::string device;
  std::string nbd_uri;
};

// `cluster` is null for targets that need none.
std::unique_ptr<Target> make_target(const TargetSpec& spec, ceph::Cluster* cluster);

}  // namespace lab
