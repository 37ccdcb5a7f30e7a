// The cluster of one `lab run`: the one that the inventory names, or a sandbox that is
// started for it and taken down again, since lab leaves things as it found them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "inventory/inventory.h"
#include "runner/ceph/cluster.h"
#include "runner/daemons/driver.h"
#include "runner/sandbox/sandbox.h"
#include "runner/sandbox/use.h"

namespace lab {

class ClusterSession {
 public:
  using Say = std::function<void(const std::string&)>;

  // Starts the inventory's sandbox if it isn't running and says so; `keep`: one that was
  // started stays up.
  static ClusterSession open(const Inventory& inventory, const fs::path& sandbox_dir, bool keep,
                             const Say& say);
  // The inventory's cluster as it runs; a sandbox that isn't there is not started but an error
  // (Exit::environment).
  static ClusterSession open_running(const Inventory& inventory, const fs::path& sandbox_dir,
                                     const Say& say);
  ~ClusterSession();
  ClusterSession(ClusterSession&& other) noexcept;
  ClusterSession& operator=(ClusterSession&&) = delete;

  ceph::Cluster& cluster() { return *cluster_; }
  // The daemons that lab can start anew; null if the inventory names none.
  std::unique_ptr<daemons::Driver> driver();
  // 0 if it ran already, or isn't lab's.
  double start_seconds() const { return start_seconds_; }

  // Also done when the object goes, but then without a way to report a failure.
  void close();

 private:
  explicit ClusterSession(Say say) : say_(std::move(say)) {}
  void connect(const Inventory& inventory);
  void use(const sandbox::Sandbox& sandbox);

  std::unique_ptr<ceph::Cluster> cluster_;
  OrderedJson driver_address_;  // null: none
  std::optional<sandbox::Use> use_;
  fs::path started_dir_;  // of the sandbox to take down; empty: none
  double start_seconds_ = 0;
  Say say_;
};

}  // namespace lab
