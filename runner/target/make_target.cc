#include "runner/target/make_target.h"

#include "runner/base/error.h"
#include "runner/target/block_target.h"
#include "runner/target/nbd_target.h"
#include "runner/target/rbd_builtin_target.h"
#include "runner/target/rbd_target.h"

namespace lab {

std::unique_ptr<Target> make_target(const TargetSpec& spec, ceph::Cluster* cluster) {
  if (spec.target == "rbd" || spec.target == "rbd-builtin") {
    RbdData data(*cluster, *spec.inventory, spec.span_bytes, spec.mark, spec.destroy_data);
    if (spec.target == "rbd") return std::make_unique<RbdTarget>(*cluster, std::move(data));
    return std::make_unique<RbdBuiltinTarget>(*cluster, std::move(data));
  }
  if (spec.target == "block")
    return std::make_unique<BlockTarget>(spec.device, spec.span_bytes, spec.destroy_data);
  if (spec.target == "nbd")
    return std::make_unique<NbdTarget>(spec.nbd_uri, spec.span_bytes, spec.destroy_data);
  throw usage_error("--target: unknown target \"{}\"", spec.target);
}

}  // namespace lab
