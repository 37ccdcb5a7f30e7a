// Images that lab itself makes, inspects, fills and removes.
#pragma once

#include <rados/librados.h>

#include <string>

#include "engines/rbd/options.h"

namespace lab::rbd {

// Image metadata that says "lab made this": only such images are ever removed.
inline constexpr const char* kMarkKey = "lab.made";

struct ImageInfo {
  uint64_t size_bytes = 0;
  uint64_t object_bytes = 0;
  uint64_t features = 0;  // RBD_FEATURE_*
  std::string id;
  std::string mark;  // empty: not made by lab
};

// All of these take the I/O context of the image's pool and namespace (class Pool) and
// throw lab::Error (Exit::environment) naming the image.

bool image_exists(rados_ioctx_t pool, const std::string& image);

// With the cluster's default features. object_bytes: a power of two from 4 KiB to 32
// MiB, 0 for the cluster's default. `mark` must not be empty.
void create_image(rados_ioctx_t pool, const std::string& image, uint64_t size_bytes,
                  uint64_t object_bytes, const std::string& mark);

// Refuses an image without lab's mark.
void remove_image(rados_ioctx_t pool, const std::string& image);

ImageInfo image_info(rados_ioctx_t pool, const std::string& image);

// Clients that have the image open for writing; one that was killed counts until its watch
// expires (30 s), and holds the image's exclusive lock as long.
size_t image_watchers(rados_ioctx_t pool, const std::string& image);

// Bytes that exist in the image, as the objects' sizes tell (rbd_diff_iterate2 without
// whole objects): written zeros count, and so does a hole before the last written byte
// of an object. So it is an upper bound, exact for images written from front to back;
// io::sample_for_zeros finds the holes.
uint64_t written_bytes(rados_ioctx_t pool, const std::string& image);

}  // namespace lab::rbd
