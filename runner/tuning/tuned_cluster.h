// What the tuner asks of a cluster beside its knobs. Abstract so that its order of steps can be
// tested without one.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace lab {

class TunedCluster {
 public:
  virtual ~TunedCluster() = default;

  // Whether an option acts without a restart. Throws lab::Error (Exit::environment) for one that
  // the cluster doesn't know.
  virtual bool acts_at_runtime(const std::string& option) = 0;
  // Daemons in the groups in which they are started anew: all of a group are of one failure
  // domain, and may be away at the same time.
  virtual std::vector<std::vector<std::string>> restart_groups(
      const std::set<std::string>& daemons) = 0;
  // Returns when all placement groups are clean again; throws lab::Error (Exit::environment) after
  // `limit` with what it was waiting for.
  virtual void wait_clean(std::chrono::seconds limit) = 0;
};

}  // namespace lab
