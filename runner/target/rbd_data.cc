#include "runner/target/rbd_data.h"

#include <algorithm>
#include <chrono>

#include "engines/io/fill.h"
#include "engines/io/sample.h"
#include "engines/rbd/image.h"
#include "engines/rbd/image_device.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"

namespace lab {
namespace {

constexpr uint64_t kObjectBytes = 4 << 20;

uint64_t round_up(uint64_t bytes) {
  return (bytes + kObjectBytes - 1) / kObjectBytes * kObjectBytes;
}

std::string image_spec(const Inventory& inventory, const std::string& image) {
  return inventory.pool + (inventory.pool_namespace.empty() ? "" : "/" + inventory.pool_namespace) +
         "/" + image;
}

}  // namespace

RbdData::RbdData(ceph::Cluster& cluster, const Inventory& inventory, uint64_t span_bytes,
                 std::string mark, const std::vector<std::string>& destroy)
    : cluster_(cluster),
      inventory_(inventory),
      span_bytes_(inventory.image.empty() ? round_up(span_bytes) : span_bytes),
      mark_(std::move(mark)),
      foreign_(!inventory.image.empty()),
      image_(foreign_ ? inventory.image : "lab-" + mark_) {
  may_destroy_ =
      std::find(destroy.begin(), destroy.end(), image_spec(inventory_, image_)) != destroy.end();
}

rbd::Options RbdData::options() const {
  const ceph::Access& access = cluster_.access();
  rbd::Options o;
  o.clustername = access.cluster;
  o.conf = access.conf;
  o.clientname = access.client;
  o.keyring = access.keyring;
  o.pool = inventory_.pool;
  o.name_space = inventory_.pool_namespace;
  o.rbdname = image_;
  return o;
}

void RbdData::claim() {
  if (!cluster_.has_pool(inventory_.pool)) {
    const std::vector<std::string> pools = cluster_.pools();
    std::string text =
        fmt::format("{}: the cluster has no pool \"{}\"", inventory_.name, inventory_.pool);
    if (auto near = nearest(inventory_.pool, pools))
      text += fmt::format(" (did you mean \"{}\"?)", *near);
    throw usage_error("{}; it has: {}", text, join(pools, ", "));
  }
  rbd::Pool pool(cluster_.rados(), inventory_.pool, inventory_.pool_namespace);
  if (foreign_)
    check_foreign(pool);
  else
    make_own(pool);
}

void RbdData::make_own(rbd::Pool& pool) {
  if (!rbd::image_exists(pool.get(), image_)) {
    made_ = true;  // from here on something may be there
    rbd::create_image(pool.get(), image_, span_bytes_, kObjectBytes, mark_);
    return;
  }
  // This very experiment's, left by a run that was killed: the mark is in its name and on it.
  if (rbd::image_info(pool.get(), image_).mark != mark_)
    throw environment_error("image {} exists and does not carry this run's mark; remove it",
                            image_spec(inventory_, image_));
  made_ = true;
}

void RbdData::check_foreign(rbd::Pool& pool) {
  const std::string spec = image_spec(inventory_, image_);
  if (!rbd::image_exists(pool.get(), image_))
    throw usage_error("{}: there is no image {}", inventory_.name, spec);
  const rbd::ImageInfo info = rbd::image_info(pool.get(), image_);
  if (info.size_bytes < span_bytes_)
    throw usage_error(
        "{}: image {} is too small for the job: it has {}, the job needs {}; use a larger image, "
        "or lower size= in the job or size_limit in the inventory",
        inventory_.name, spec, format_bytes(info.size_bytes), format_bytes(span_bytes_));
  if (!may_destroy_)
    throw usage_error(
        "{}: the content of image {} would be lost; if that may be, say --destroy-data-on={}",
        inventory_.name, spec, spec);
}

void RbdData::prepare(const PrepareProgress& progress) {
  rbd::Pool pool(cluster_.rados(), inventory_.pool, inventory_.pool_namespace);
  const rbd::ImageInfo info = rbd::image_info(pool.get(), image_);
  size_bytes_ = info.size_bytes;
  object_bytes_ = info.object_bytes;

  rbd::Options o = options();
  o.cache = rbd::CacheMode::off;
  rbd::ImageDevice device(o);
  const std::string what = fmt::format("filling image {} ({}) with incompressible data",
                                       image_spec(inventory_, image_), format_bytes(size_bytes_));
  io::FillOptions fill;
  fill.progress = [&](uint64_t done, uint64_t total) {
    progress(what, static_cast<double>(done) / static_cast<double>(total));
  };
  io::fill(device, fill);
  prove_written(device);
  device.close();
}

void RbdData::prove_written(io::Device& device) {
  // Two proofs, since neither sees all: the extents of an object count up to its last
  // written byte, and samples miss what is small.
  const io::ZeroSample sample = io::sample_for_zeros(device, {});
  if (sample.zeros > 0)
    throw environment_error(
        "image {} was filled, but {} of {} reads of it came back all zero: it is not written "
        "everywhere",
        image_spec(inventory_, image_), sample.zeros, sample.samples);
  rbd::Pool pool(cluster_.rados(), inventory_.pool, inventory_.pool_namespace);
  const uint64_t written = rbd::written_bytes(pool.get(), image_);
  if (written != size_bytes_)
    throw environment_error(
        "image {} is not fully written after filling: {} of {} bytes exist; reads of the rest "
        "would be answered without a disk",
        image_spec(inventory_, image_), written, size_bytes_);
}

void RbdData::wait_unused(const std::function<void(const std::string&)>& say) {
  rbd::Pool pool(cluster_.rados(), inventory_.pool, inventory_.pool_namespace);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  bool said = false;
  while (size_t clients = rbd::image_watchers(pool.get(), image_)) {
    if (std::chrono::steady_clock::now() > limit)
      throw environment_error("image {} is still open in {} other clients; who uses it?",
                              image_spec(inventory_, image_), clients);
    if (!said) say("waiting until a client that ended lets go of the image");
    said = true;
    interruptible_sleep(std::chrono::milliseconds(500));
  }
}

void RbdData::remove() {
  if (!made_) return;
  rbd::Pool pool(cluster_.rados(), inventory_.pool, inventory_.pool_namespace);
  if (rbd::image_exists(pool.get(), image_) && rbd::image_info(pool.get(), image_).mark == mark_)
    rbd::remove_image(pool.get(), image_);
}

}  // namespace lab
