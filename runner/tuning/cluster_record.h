// What lab writes of its changes into the cluster itself: texts in their order, under
// lab/changes/ in the monitors' config-key store, so that the next lab on any host finds them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runner/ceph/cluster.h"
#include "runner/ceph/exclusive_lock.h"

namespace lab {

// The store, as far as a record needs it. All functions throw lab::Error (Exit::environment).
struct KeyStore {
  std::function<std::map<std::string, std::string>(const std::string& prefix)> read;
  // On the monitors' disks when it returns. They take at most 64 KiB
  // (mon_config_key_max_entry_size).
  std::function<void(const std::string& key, const std::string& value)> set;
  std::function<void(const std::string& key)> remove;
};
KeyStore config_keys(ceph::Cluster& cluster);

class ClusterRecord {
 public:
  // Where the texts are, for people.
  static constexpr const char* kPrefix = "lab/changes/";

  explicit ClusterRecord(KeyStore keys) : keys_(std::move(keys)) {}
  std::vector<std::string> read();
  void append(const std::string& text);
  void remove();
  // Tells the holder's own host that its changes were put back from another one.
  void leave_word(const ceph::LockHolder& holder);
  // True once for each word.
  bool take_word(const ceph::LockHolder& holder);

 private:
  KeyStore keys_;
  size_t next_ = 0;  // number of the next text; 0 if nothing was read yet
};

}  // namespace lab
