// An open image whose cache mode is proven, shared by the jobs of a process that ask
// for the same one: with several handles the exclusive lock would wander between them.
#pragma once

#include <rbd/librbd.h>

#include <string>

#include "engines/rbd/cluster.h"
#include "engines/rbd/effective.h"
#include "engines/rbd/options.h"

namespace lab::rbd {

// What is known of an image once it is open.
struct ImageState {
  uint64_t size_bytes = 0;
  std::string id;
  std::string ceph_version;
  EffectiveOptions options;         // of the image
  EffectiveOptions client_options;  // that rados_conf sets, and no image has
  CacheMode cache_effective = CacheMode::off;
  bool object_cacher = false;
};

class OpenImage {
 public:
  using Lease = io::SharedRegistry<OpenImage>::Lease;

  // The open image of all jobs with this image_key() that are there at the same time.
  // Throws lab::Error saying which pool or image is not there, what the client may not
  // do, or which option masks the cache mode asked for, and the repair.
  static Lease share(const Options& options);

  explicit OpenImage(const Options& options);
  ~OpenImage();
  OpenImage(const OpenImage&) = delete;
  OpenImage& operator=(const OpenImage&) = delete;

  rbd_image_t handle() const { return handle_; }
  const ImageState& state() const { return state_; }

 private:
  Cluster::Lease cluster_;
  Pool pool_;
  rbd_image_t handle_ = nullptr;
  ImageState state_;
};

// The size of an image in bytes; asks the cluster once a process and image, and fails
// again at once where it has failed before.
uint64_t image_size(const Options& options);

}  // namespace lab::rbd
