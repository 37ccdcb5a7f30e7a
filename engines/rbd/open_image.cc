#include "engines/rbd/open_image.h"

#include <cerrno>
#include <map>
#include <mutex>
#include <vector>

#include "runner/base/error.h"

namespace lab::rbd {
namespace {

Error open_error(const Options& options, int r) {
  std::string image = image_spec(options);
  std::string parent = image.substr(0, image.rfind('/'));
  if (r == -ENOENT)
    return environment_error("there is no image \"{}\" in {}; `rbd ls {}` lists them",
                             options.rbdname, parent, parent);
  if (r == -EPERM || r == -EACCES)
    return environment_error(
        "{} may not open image {}: {}; its capabilities need mon 'profile rbd' and osd 'profile "
        "rbd pool={}' (`ceph auth caps {} …`)",
        entity_name(options), image, reason(r), options.pool, entity_name(options));
  if (r == -ESHUTDOWN)
    return environment_error(
        "this host's client is blocklisted, so image {} can't be opened; see `ceph osd blocklist "
        "ls`",
        image);
  return environment_error("cannot open image {}: {}", image, reason(r));
}

const char* source_text(rbd_config_source_t source) {
  switch (source) {
    case RBD_CONFIG_SOURCE_POOL:
      return "pool";
    case RBD_CONFIG_SOURCE_IMAGE:
      return "image";
    case RBD_CONFIG_SOURCE_CONFIG:
      break;
  }
  return "config";
}

EffectiveOptions read_options(rbd_image_t image, const std::string& spec) {
  int count = 256;
  std::vector<rbd_config_option_t> listed;
  int r = -ERANGE;
  while (r == -ERANGE) {  // `count` then tells how many there are
    listed.resize(static_cast<size_t>(count));
    r = rbd_config_image_list(image, listed.data(), &count);
  }
  if (r < 0)
    throw environment_error("cannot read the effective options of image {}: {}", spec, reason(r));
  EffectiveOptions options;
  for (int i = 0; i < count; ++i)
    options[listed[static_cast<size_t>(i)].name] = {
        listed[static_cast<size_t>(i)].value, source_text(listed[static_cast<size_t>(i)].source)};
  rbd_config_image_list_cleanup(listed.data(), count);
  return options;
}

// What the job sets that isn't the image's to tell: options of librados.
std::vector<std::string> other_options(const Options& options, const EffectiveOptions& of_image) {
  std::vector<std::string> names;
  for (const auto& [name, value] : parse_settings(options.rados_conf))
    if (!of_image.contains(name)) names.push_back(name);
  return names;
}

ImageState read_state(rbd_image_t image, const Cluster& cluster, const Options& options) {
  ImageState state;
  std::string spec = image_spec(options);
  int r = rbd_get_size(image, &state.size_bytes);
  if (r < 0) throw environment_error("cannot read the size of image {}: {}", spec, reason(r));
  char id[256] = {};
  r = rbd_get_id(image, id, sizeof id);
  if (r < 0) throw environment_error("cannot read the id of image {}: {}", spec, reason(r));
  state.id = id;
  state.ceph_version = cluster.ceph_version();
  state.options = read_options(image, spec);
  state.client_options = cluster.own_options(other_options(options, state.options));
  state.cache_effective = effective_cache(state.options);
  state.object_cacher = has_object_cacher(cluster.perf_dump(), state.id);
  return state;
}

uint64_t ask_size(const Cluster& cluster, const Options& options) {
  Pool pool(cluster.handle(), options.pool, options.name_space);
  rbd_image_t image = nullptr;
  int r = rbd_open_read_only(pool.get(), options.rbdname.c_str(), &image, nullptr);
  if (r < 0) throw open_error(options, r);
  uint64_t bytes = 0;
  r = rbd_get_size(image, &bytes);
  rbd_close(image);
  if (r < 0)
    throw environment_error("cannot read the size of image {}: {}", image_spec(options), reason(r));
  return bytes;
}

}  // namespace

OpenImage::Lease OpenImage::share(const Options& options) {
  static auto& registry = *new io::SharedRegistry<OpenImage>();
  return registry.take(image_key(options), [&] { return std::make_unique<OpenImage>(options); });
}

OpenImage::OpenImage(const Options& options)
    : cluster_(Cluster::share(options)),
      pool_(cluster_->handle(), options.pool, options.name_space) {
  int r = rbd_open(pool_.get(), options.rbdname.c_str(), &handle_, nullptr);
  if (r < 0) throw open_error(options, r);
  try {
    state_ = read_state(handle_, *cluster_, options);
    if (auto mismatch = cache_mismatch(options, state_.options, state_.object_cacher))
      throw environment_error("{}", *mismatch);
  } catch (...) {
    rbd_close(handle_);
    throw;
  }
}

OpenImage::~OpenImage() { rbd_close(handle_); }

uint64_t image_size(const Options& options) {
  // Many jobs of a run use the same few images. One at a time: the second job of an
  // image waits for the first to know. Failures are known too, or every job of a run
  // would wait for the same absent monitor.
  static auto& mutex = *new std::mutex();
  static auto& known = *new std::map<std::string, uint64_t>();
  static auto& failed = *new std::map<std::string, Error>();
  std::lock_guard lock(mutex);
  const std::string key = image_key(options);
  if (auto found = known.find(key); found != known.end()) return found->second;
  for (const std::string& what : {key, connection_key(options)})
    if (auto found = failed.find(what); found != failed.end()) throw found->second;

  std::string trying = connection_key(options);
  try {
    Cluster::Lease cluster = Cluster::share(options);
    trying = key;
    return known[key] = ask_size(*cluster, options);
  } catch (const Error& e) {
    failed.emplace(trying, e);
    throw;
  }
}

}  // namespace lab::rbd
