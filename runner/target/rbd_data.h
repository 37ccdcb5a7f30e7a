// The image that a run on RBD loads: made, written whole with incompressible data, and
// proven to be so, since reads of unwritten objects never reach a disk.
#pragma once

#include <string>

#include "engines/io/device.h"
#include "engines/rbd/cluster.h"
#include "engines/rbd/options.h"
#include "inventory/inventory.h"
#include "results/manifest.h"
#include "runner/ceph/cluster.h"
#include "runner/target/target.h"

namespace lab {

class RbdData {
 public:
  // `span_bytes`: how much of the image the job needs. `mark`: written on the image, the
  // proof later that lab made it. `destroy`: images (POOL/IMAGE) that may be overwritten.
  RbdData(ceph::Cluster& cluster, const Inventory& inventory, uint64_t span_bytes, std::string mark,
          const std::vector<std::string>& destroy);

  // Throws lab::Error if the pool isn't there (with the nearest one), if an image of the
  // inventory's is not there, too small, or not named for destruction, or if the client may
  // not do it. Makes the image, unless this experiment's is there already.
  void claim();
  // Fills the image and proves that it is full.
  void prepare(const PrepareProgress& progress);
  // Waits until no client has the image open any more: one that was killed keeps its lock
  // for half a minute. Throws lab::Error (Exit::environment) if it takes longer than that.
  void wait_unused(const std::function<void(const std::string&)>& say);
  void remove();

  // How engines reach the image, the cache mode left open.
  rbd::Options options() const;
  const std::string& pool() const { return inventory_.pool; }
  const std::string& image() const { return image_; }
  uint64_t size_bytes() const { return size_bytes_; }
  uint64_t object_bytes() const { return object_bytes_; }

 private:
  void make_own(rbd::Pool& pool);
  void check_foreign(rbd::Pool& pool);
  void prove_written(io::Device& device);

  ceph::Cluster& cluster_;
  Inventory inventory_;
  uint64_t span_bytes_;
  std::string mark_;
  bool made_ = false;  // the image is lab's, and may be there
  bool foreign_;       // the inventory's image, not lab's
  bool may_destroy_;
  std::string image_;
  uint64_t size_bytes_ = 0;
  uint64_t object_bytes_ = 0;
};

}  // namespace lab
