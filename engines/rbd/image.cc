#include "engines/rbd/image.h"

#include <rbd/librbd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <exception>
#include <string_view>
#include <vector>

#include "engines/rbd/cluster.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::rbd {
namespace {

std::string name_of(rados_ioctx_t pool, const std::string& image) {
  char name[256] = {};
  rados_ioctx_get_pool_name(pool, name, sizeof name);
  char name_space[256] = {};
  rados_ioctx_get_namespace(pool, name_space, sizeof name_space);
  return *name_space ? fmt::format("{}/{}/{}", name, name_space, image)
                     : fmt::format("{}/{}", name, image);
}

// reason(), and for a client that may not do it the capabilities that it lacks.
std::string explain(int r, rados_ioctx_t pool) {
  if (r != -EPERM && r != -EACCES) return reason(r);
  char name[256] = {};
  rados_ioctx_get_pool_name(pool, name, sizeof name);
  return fmt::format(
      "{}; the client's capabilities need mon 'profile rbd' and osd 'profile rbd pool={}' (`ceph "
      "auth caps`)",
      reason(r), name);
}

class Handle {
 public:
  Handle(rados_ioctx_t pool, const std::string& image, bool read_only) {
    int r = read_only ? rbd_open_read_only(pool, image.c_str(), &image_, nullptr)
                      : rbd_open(pool, image.c_str(), &image_, nullptr);
    if (r == -ENOENT)
      throw environment_error("there is no image {}; `rbd ls` lists them", name_of(pool, image));
    if (r < 0)
      throw environment_error("cannot open image {}: {}", name_of(pool, image), explain(r, pool));
  }
  ~Handle() { rbd_close(image_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  rbd_image_t get() const { return image_; }

 private:
  rbd_image_t image_ = nullptr;
};

void check(int r, const char* what, rados_ioctx_t pool, const std::string& image) {
  if (r < 0)
    throw environment_error("cannot {} image {}: {}", what, name_of(pool, image), explain(r, pool));
}

class ImageOptions {
 public:
  ImageOptions() { rbd_image_options_create(&options_); }
  ~ImageOptions() { rbd_image_options_destroy(options_); }
  ImageOptions(const ImageOptions&) = delete;
  ImageOptions& operator=(const ImageOptions&) = delete;
  rbd_image_options_t get() const { return options_; }

 private:
  rbd_image_options_t options_ = nullptr;
};

std::string read_mark(rbd_image_t image) {
  std::string value(4096, '\0');
  size_t length = value.size();
  int r = rbd_metadata_get(image, kMarkKey, value.data(), &length);
  if (r < 0) return {};
  value.resize(value.find('\0') == std::string::npos ? length : value.find('\0'));
  return value;
}

}  // namespace

bool image_exists(rados_ioctx_t pool, const std::string& image) {
  rbd_image_t handle = nullptr;
  int r = rbd_open_read_only(pool, image.c_str(), &handle, nullptr);
  if (r == -ENOENT) return false;
  check(r, "open", pool, image);
  rbd_close(handle);
  return true;
}

void create_image(rados_ioctx_t pool, const std::string& image, uint64_t size_bytes,
                  uint64_t object_bytes, const std::string& mark) {
  if (mark.empty())
    throw environment_error("image {}: lab makes no image without its mark", name_of(pool, image));
  ImageOptions options;
  if (object_bytes != 0) {
    if (!std::has_single_bit(object_bytes) || object_bytes < 4096 || object_bytes > (32 << 20))
      throw usage_error(
          "image {}: an object size of {} bytes is not possible: give a power of two from 4 KiB to "
          "32 MiB",
          name_of(pool, image), object_bytes);
    rbd_image_options_set_uint64(options.get(), RBD_IMAGE_OPTION_ORDER,
                                 static_cast<uint64_t>(std::countr_zero(object_bytes)));
  }
  int r = rbd_create4(pool, image.c_str(), size_bytes, options.get());
  if (r == -EEXIST)
    throw environment_error("image {} exists already; choose another name", name_of(pool, image));
  check(r, "create", pool, image);
  Handle handle(pool, image, false);
  check(rbd_metadata_set(handle.get(), kMarkKey, mark.c_str()), "mark", pool, image);
}

void remove_image(rados_ioctx_t pool, const std::string& image) {
  if (image_info(pool, image).mark.empty())
    throw environment_error(
        "image {} was not made by lab (it has no metadata {}), so lab doesn't remove it",
        name_of(pool, image), kMarkKey);
  int r = rbd_remove(pool, image.c_str());
  if (r == -EBUSY)
    throw environment_error(
        "cannot remove image {}: something still has it open (`rbd status {}`); a client that was "
        "killed is forgotten after 30 s",
        name_of(pool, image), name_of(pool, image));
  if (r == -ENOTEMPTY)
    throw environment_error("cannot remove image {}: it has snapshots (`rbd snap ls {}`)",
                            name_of(pool, image), name_of(pool, image));
  check(r, "remove", pool, image);
}

ImageInfo image_info(rados_ioctx_t pool, const std::string& image) {
  Handle handle(pool, image, true);
  rbd_image_info_t stat{};
  check(rbd_stat(handle.get(), &stat, sizeof stat), "inspect", pool, image);
  ImageInfo info;
  info.size_bytes = stat.size;
  info.object_bytes = stat.obj_size;
  check(rbd_get_features(handle.get(), &info.features), "inspect", pool, image);
  char id[256] = {};
  check(rbd_get_id(handle.get(), id, sizeof id), "inspect", pool, image);
  info.id = id;
  info.mark = read_mark(handle.get());
  return info;
}

size_t image_watchers(rados_ioctx_t pool, const std::string& image) {
  const Handle handle(pool, image, true);
  std::vector<rbd_image_watcher_t> found(16);
  for (;;) {
    size_t count = found.size();
    const int r = rbd_watchers_list(handle.get(), found.data(), &count);
    if (r == -ERANGE) {
      found.resize(std::max(count, found.size() * 2));
      continue;
    }
    check(r, "list the watchers of", pool, image);
    rbd_watchers_list_cleanup(found.data(), count);
    return count;
  }
}

uint64_t written_bytes(rados_ioctx_t pool, const std::string& image) {
  Handle handle(pool, image, true);
  uint64_t size = 0;
  check(rbd_get_size(handle.get(), &size), "inspect", pool, image);
  uint64_t bytes = 0;
  auto add = [](uint64_t, size_t length, int exists, void* sum) {
    if (exists) *static_cast<uint64_t*>(sum) += length;
    return 0;
  };
  check(rbd_diff_iterate2(handle.get(), nullptr, 0, size, 1, 0, add, &bytes), "list the data of",
        pool, image);
  return bytes;
}

}  // namespace lab::rbd
