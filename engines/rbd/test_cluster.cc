#include "engines/rbd/test_cluster.h"

#include <rbd/librbd.h>
#include <unistd.h>

#include "engines/io/fill.h"
#include "engines/rbd/image.h"
#include "engines/rbd/image_device.h"
#include "runner/base/text.h"

namespace lab::rbd {

void ClusterTest::SetUp() {
  const char* conf = getenv("LAB_TEST_CONF");
  if (!conf || !*conf) GTEST_SKIP() << "LAB_TEST_CONF names no cluster";
  conf_ = conf;
  char pattern[] = "/tmp/lab-cluster-test-XXXXXX";
  dir_ = mkdtemp(pattern);
  ASSERT_EQ(rados_create2(&cluster_, "ceph", "client.admin", 0), 0);
  ASSERT_EQ(rados_conf_read_file(cluster_, conf_.c_str()), 0) << conf_;
  rados_conf_set(cluster_, "client_mount_timeout", "30");
  ASSERT_EQ(rados_connect(cluster_), 0) << conf_;
  use_pool("lab-engine-test");
}

void ClusterTest::TearDown() {
  if (!cluster_) return;
  for (const std::string& client : clients_) monitor({{"prefix", "auth rm"}, {"entity", client}});
  for (const std::string& image : images_)
    if (image_exists(pool(), image)) remove_image(pool(), image);
  pool_.reset();
  rados_shutdown(cluster_);
  fs::remove_all(dir_);
}

void ClusterTest::use_pool(const std::string& pool) {
  if (rados_pool_lookup(cluster_, pool.c_str()) < 0) {
    monitor({{"prefix", "osd pool create"}, {"pool", pool}, {"pg_num", 8}});
    monitor({{"prefix", "osd pool application enable"}, {"pool", pool}, {"app", "rbd"}});
  }
  pool_ = std::make_unique<Pool>(cluster_, pool, "");
  pool_name_ = pool;
}

std::string ClusterTest::new_image(uint64_t bytes, bool filled) {
  std::string image = fmt::format("image-{}-{}", getpid(), serial_++);
  create_image(pool(), image, bytes, 0, "test");
  images_.push_back(image);
  if (filled) {
    Options o = options(image);
    o.cache = CacheMode::off;
    ImageDevice device(o);
    io::fill(device, {});
  }
  return image;
}

Options ClusterTest::options(const std::string& image) const {
  Options o;
  o.conf = conf_;
  o.pool = pool_name_;
  o.rbdname = image;
  return o;
}

void ClusterTest::override_option(const std::string& image, const std::string& name,
                                  const std::string& value) {
  rbd_image_t handle = nullptr;
  ASSERT_EQ(rbd_open(pool(), image.c_str(), &handle, nullptr), 0);
  EXPECT_EQ(rbd_metadata_set(handle, ("conf_" + name).c_str(), value.c_str()), 0);
  rbd_close(handle);
}

void ClusterTest::remove_override(const std::string& image, const std::string& name) {
  rbd_image_t handle = nullptr;
  ASSERT_EQ(rbd_open(pool(), image.c_str(), &handle, nullptr), 0);
  EXPECT_EQ(rbd_metadata_remove(handle, ("conf_" + name).c_str()), 0);
  rbd_close(handle);
}

fs::path ClusterTest::new_client(const std::string& name,
                                 const std::map<std::string, std::string>& caps) {
  std::string entity = fmt::format("client.{}-{}", name, getpid());
  std::vector<std::string> words;
  for (const auto& [daemon, text] : caps) {
    words.push_back(daemon);
    words.push_back(text);
  }
  std::string keyring =
      monitor({{"prefix", "auth get-or-create"}, {"entity", entity}, {"caps", words}});
  clients_.push_back(entity);
  fs::path path = dir_ / (entity + ".keyring");
  write_file_atomically(path, keyring);
  return path;
}

size_t ClusterTest::watchers(const std::string& image) {
  rbd_image_t handle = nullptr;
  if (rbd_open_read_only(pool(), image.c_str(), &handle, nullptr) != 0) return SIZE_MAX;
  rbd_image_watcher_t found[64];
  size_t count = 64;
  int r = rbd_watchers_list(handle, found, &count);
  if (r == 0) rbd_watchers_list_cleanup(found, count);
  rbd_close(handle);
  return r == 0 ? count : SIZE_MAX;
}

namespace {

// `send` is rados_mon_command or rados_osd_command without the handle and the target.
template <typename Send>
std::string command_answer(const Json& command, Send send) {
  std::string text = command.dump();
  const char* commands[] = {text.c_str()};
  char* out = nullptr;
  char* status = nullptr;
  size_t out_bytes = 0;
  size_t status_bytes = 0;
  int r = send(commands, &out, &out_bytes, &status, &status_bytes);
  EXPECT_GE(r, 0) << text << ": " << std::string(status ? status : "", status_bytes);
  std::string answer(out ? out : "", out_bytes);
  rados_buffer_free(out);
  rados_buffer_free(status);
  return answer;
}

}  // namespace

std::string ClusterTest::monitor(const Json& command) {
  return command_answer(command, [&](const char** c, char** out, size_t* out_bytes, char** status,
                                     size_t* status_bytes) {
    return rados_mon_command(cluster_, c, 1, "", 0, out, out_bytes, status, status_bytes);
  });
}

std::string ClusterTest::osd(int id, const Json& command) {
  return command_answer(command, [&](const char** c, char** out, size_t* out_bytes, char** status,
                                     size_t* status_bytes) {
    return rados_osd_command(cluster_, id, c, 1, "", 0, out, out_bytes, status, status_bytes);
  });
}

std::vector<Json> ClusterTest::records(const fs::path& path) const {
  std::vector<Json> lines;
  for (const std::string& line : split(read_file(path), '\n'))
    if (!line.empty()) lines.push_back(Json::parse(line));
  return lines;
}

}  // namespace lab::rbd
