// Ceph's options as the daemons that a level is for have them while they run.
#pragma once

#include <string>
#include <vector>

#include "runner/ceph/cluster.h"
#include "runner/ceph/daemon_options.h"
#include "runner/daemons/driver.h"

namespace lab {

// All functions throw lab::Error (Exit::environment).
class RunningOptions {
 public:
  // `driver` may be null.
  RunningOptions(ceph::Cluster& cluster, daemons::Driver* driver)
      : cluster_(cluster), driver_(driver) {}

  // Daemons that a place of the configuration ("osd", "client.rgw.a") means and that can be asked:
  // those that lab can start anew, and all OSDs that are up, which are asked over the cluster.
  std::vector<std::string> askable(const std::string& who);
  // Those that it means, too, and that can't be asked: monitors and gateways on other hosts.
  std::vector<std::string> out_of_reach(const std::string& who);

  ceph::DaemonOption read(const std::string& daemon, const std::string& option);

 private:
  ceph::Cluster& cluster_;
  daemons::Driver* driver_;
};

}  // namespace lab
