// What librbd really does with an open image, as it says itself, and whether that is
// what was asked for. Pure: from texts to judgement.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engines/rbd/options.h"

namespace lab::rbd {

struct EffectiveOption {
  std::string value;
  std::string source;  // "config" (file, monitors, rados_conf_set), "pool" or "image"
};
using EffectiveOptions = std::map<std::string, EffectiveOption>;

// As librbd 16 decides when it opens an image (OpenRequest): rbd_cache first, then the
// policy; no dirty data allowed makes writeback writethrough, and writearound nothing.
CacheMode effective_cache(const EffectiveOptions& options);

// Whether the process's `perf dump` (JSON) has an object cacher of this image: librbd
// makes one for writethrough and writeback only.
bool has_object_cacher(const std::string& perf_dump, const std::string& image_id);

// None if the mode asked for is in force, else why not, where that comes from and what
// to do.
std::optional<std::string> cache_mismatch(const Options& asked, const EffectiveOptions& effective,
                                          bool object_cacher);

}  // namespace lab::rbd
