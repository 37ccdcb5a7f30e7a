#include "engines/fio/rbd_bridge.h"

#include <cstdlib>

#include "engines/fio/bridge_impl.h"
#include "engines/rbd/image_device.h"

namespace {

using lab::fio::guarded;
using lab::rbd::CacheMode;
using lab::rbd::ImageDevice;
using lab::rbd::Options;

static_assert(static_cast<int>(CacheMode::off) == LAB_RBD_CACHE_OFF);
static_assert(static_cast<int>(CacheMode::writethrough) == LAB_RBD_CACHE_WRITETHROUGH);
static_assert(static_cast<int>(CacheMode::writeback) == LAB_RBD_CACHE_WRITEBACK);
static_assert(static_cast<int>(CacheMode::writearound) == LAB_RBD_CACHE_WRITEAROUND);
static_assert(static_cast<int>(CacheMode::config) == LAB_RBD_CACHE_CONFIG);

std::string text(const char* t) { return t ? t : ""; }

Options options_of(const lab_rbd_options& from) {
  Options o;
  o.clustername = text(from.clustername);
  o.conf = text(from.conf);
  o.clientname = text(from.clientname);
  o.keyring = text(from.keyring);
  o.rados_conf = text(from.rados_conf);
  o.pool = text(from.pool);
  o.name_space = text(from.name_space);
  o.rbdname = text(from.rbdname);
  o.cache = static_cast<CacheMode>(from.cache);
  o.effective = text(from.effective);
  o.counters = text(from.counters);
  o.job = text(from.job);
  o.subjob = from.subjob;
  return o;
}

ImageDevice* image(const lab_device* device) {
  return static_cast<ImageDevice*>(device->device.get());
}

}  // namespace

int lab_rbd_image_size(const lab_rbd_options* options, uint64_t* bytes,
                       char error[LAB_ERROR_BYTES]) {
  return guarded(error, [&] { *bytes = lab::rbd::image_size(options_of(*options)); });
}

int lab_rbd_open(const lab_rbd_options* options, lab_device** device, char error[LAB_ERROR_BYTES]) {
  return guarded(error, [&] {
    auto opened = std::make_unique<ImageDevice>(options_of(*options));
    auto made = std::make_unique<lab_device>();
    made->close = [d = opened.get()] { d->close(); };
    made->device = std::move(opened);
    *device = made.release();
  });
}

uint64_t lab_rbd_size(const lab_device* device) { return device->device->size_bytes(); }

uint64_t lab_rbd_discard_granularity(const lab_device* device) {
  const auto& options = image(device)->state().options;
  auto found = options.find("rbd_discard_granularity_bytes");
  return found == options.end() ? 0 : strtoull(found->second.value.c_str(), nullptr, 10);
}

int lab_rbd_drop_cache(lab_device* device, char error[LAB_ERROR_BYTES]) {
  return guarded(error, [&] { image(device)->drop_cache(); });
}
