#include "runner/tuning/running_options.h"

#include <algorithm>
#include <set>

#include "runner/tuning/ceph_tuned_cluster.h"
#include "runner/tuning/daemon_name.h"

namespace lab {

std::vector<std::string> RunningOptions::askable(const std::string& who) {
  std::vector<std::string> daemons;
  if (driver_)
    for (const std::string& daemon : driver_->daemons())
      if (reaches(who, daemon)) daemons.push_back(daemon);
  for (const std::string& daemon : known_daemons(cluster_)) {
    const bool listed = std::find(daemons.begin(), daemons.end(), daemon) != daemons.end();
    if (kind_of(daemon) == "osd" && !listed && reaches(who, daemon)) daemons.push_back(daemon);
  }
  return daemons;
}

std::vector<std::string> RunningOptions::out_of_reach(const std::string& who) {
  const std::vector<std::string> list = askable(who);
  const std::set<std::string> asked(list.begin(), list.end());
  std::vector<std::string> known = known_daemons(cluster_);
  for (const std::string& gateway : known_gateways(cluster_)) known.push_back(gateway);
  std::vector<std::string> others;
  for (const std::string& daemon : known)
    if (reaches(who, daemon) && !asked.contains(daemon)) others.push_back(daemon);
  return others;
}

ceph::DaemonOption RunningOptions::read(const std::string& daemon, const std::string& option) {
  if (daemon.starts_with("osd."))
    return ceph::read_osd_options(cluster_, std::stoi(daemon.substr(4)), {option}).at(option);
  return ceph::read_local_options(driver_->admin_socket(daemon), {option}).at(option);
}

}  // namespace lab
