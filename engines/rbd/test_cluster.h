// The real cluster that tests with the label "cluster" run on: $LAB_TEST_CONF is its
// configuration, with an administrator's keyring. Without it those tests are skipped.
#pragma once

#include <gtest/gtest.h>
#include <rados/librados.h>

#include <map>
#include <memory>
#include <string>

#include "engines/rbd/cluster.h"
#include "engines/rbd/options.h"
#include "runner/base/file.h"
#include "runner/base/json.h"

namespace lab::rbd {

// A directory, a pool and images of this test process's own.
class ClusterTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kMiB = 1 << 20;

  void SetUp() override;
  void TearDown() override;

  // Makes the pool if it isn't there. Pools stay: the cluster is a throwaway one.
  void use_pool(const std::string& pool);
  rados_ioctx_t pool() const { return pool_->get(); }
  rados_t cluster() const { return cluster_; }
  // A new marked image, removed at the end; returns its name.
  std::string new_image(uint64_t bytes, bool filled = false);
  // Options for an image in the current pool.
  Options options(const std::string& image) const;
  // Sets an image's own value of an option, as `rbd config image set` does.
  void override_option(const std::string& image, const std::string& name, const std::string& value);
  void remove_override(const std::string& image, const std::string& name);
  // A client with these capabilities (daemon to text); returns its keyring's path.
  fs::path new_client(const std::string& name, const std::map<std::string, std::string>& caps);
  // How many clients have the image open.
  size_t watchers(const std::string& image);
  // Sends a command to the monitors or an OSD; returns the answer and expects success.
  std::string monitor(const Json& command);
  std::string osd(int id, const Json& command);
  // The lines of an effective.jsonl.
  std::vector<Json> records(const fs::path& path) const;

  fs::path conf_;
  fs::path dir_;
  std::string pool_name_;

 private:
  rados_t cluster_ = nullptr;
  std::unique_ptr<Pool> pool_;
  std::vector<std::string> images_;
  std::vector<std::string> clients_;
  int serial_ = 0;
};

}  // namespace lab::rbd
