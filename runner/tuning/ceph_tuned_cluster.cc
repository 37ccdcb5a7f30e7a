#include "runner/tuning/ceph_tuned_cluster.h"

#include <algorithm>
#include <chrono>

#include "runner/ceph/conditions.h"
#include "runner/ceph/crush_tree.h"
#include "runner/ceph/health.h"
#include "runner/ceph/option_help.h"

namespace lab {
namespace {

bool is_osd(const std::string& daemon) { return daemon.starts_with("osd."); }

std::map<std::string, std::string> hosts_of_osds(const Json& osd_tree) {
  std::map<std::string, std::string> hosts;
  for (const auto& [host, osds] : ceph::osds_by_host(osd_tree))
    for (const int osd : osds) hosts[fmt::format("osd.{}", osd)] = host;
  return hosts;
}

bool has_osd_domain(ceph::Cluster& cluster) {
  const Json rules = cluster.mon({{"prefix", "osd crush rule dump"}});
  return std::any_of(rules.begin(), rules.end(),
                     [](const Json& rule) { return ceph::failure_domain(rule) == "osd"; });
}

}  // namespace

std::vector<std::vector<std::string>> group_by_failure_domain(const std::set<std::string>& daemons,
                                                              const Json& osd_tree,
                                                              bool spread_over_osds) {
  std::vector<std::vector<std::string>> groups;
  auto add_single = [&](std::string_view kind) {
    for (const std::string& daemon : daemons)
      if (daemon.starts_with(kind)) groups.push_back({daemon});
  };
  add_single("mon.");
  add_single("mgr.");
  const std::map<std::string, std::string> hosts = hosts_of_osds(osd_tree);
  std::map<std::string, size_t> group_of_host;
  for (const std::string& daemon : daemons) {
    if (!is_osd(daemon)) continue;
    const auto host = hosts.find(daemon);
    if (spread_over_osds || host == hosts.end()) {
      groups.push_back({daemon});
      continue;
    }
    const auto [at, is_new] = group_of_host.emplace(host->second, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(daemon);
  }
  for (const std::string& daemon : daemons)
    if (!daemon.starts_with("mon.") && !daemon.starts_with("mgr.") && !is_osd(daemon))
      groups.push_back({daemon});
  return groups;
}

std::vector<std::string> known_daemons(ceph::Cluster& cluster) {
  std::vector<std::string> daemons;
  const Json mons = cluster.mon({{"prefix", "mon dump"}});
  const Json dump = cluster.mon({{"prefix", "osd dump"}});
  for (const Json& mon : mons.at("mons"))
    daemons.push_back("mon." + mon.at("name").get<std::string>());
  for (const Json& osd : dump.at("osds"))
    if (osd.value("up", 0) == 1) daemons.push_back(fmt::format("osd.{}", osd.at("osd").get<int>()));
  return daemons;
}

std::set<std::string> known_gateways(ceph::Cluster& cluster) {
  return gateways_of(cluster.mgr({{"prefix", "service dump"}}));
}

std::set<std::string> gateways_of(const Json& service_dump) {
  std::set<std::string> names;
  const Json services = service_dump.value("services", Json::object());
  if (!services.contains("rgw")) return names;
  const Json daemons = services.at("rgw").value("daemons", Json::object());
  for (const auto& [key, daemon] : daemons.items()) {
    // Beside them stands a text, "summary". The key is a number that each start makes anew, or in
    // older versions the name.
    if (!daemon.is_object()) continue;
    names.insert("rgw." + daemon.value("metadata", Json::object()).value("id", key));
  }
  return names;
}

bool CephTunedCluster::acts_at_runtime(const std::string& option) {
  const auto known = at_runtime_.find(option);
  if (known != at_runtime_.end()) return known->second;
  // Managers' modules look at their options as they go.
  if (option.starts_with("mgr/")) return true;
  const std::optional<ceph::OptionHelp> help = ceph::read_option_help(cluster_, option);
  if (!help)
    throw environment_error("the cluster knows no option {}; see `ceph config ls`", option);
  // A change that is let through is not one that takes effect.
  const bool at_runtime = help->has_runtime_flag;
  at_runtime_[option] = at_runtime;
  return at_runtime;
}

std::vector<std::vector<std::string>> CephTunedCluster::restart_groups(
    const std::set<std::string>& daemons) {
  return group_by_failure_domain(daemons, cluster_.mon({{"prefix", "osd tree"}}),
                                 has_osd_domain(cluster_));
}

void CephTunedCluster::wait_clean(std::chrono::seconds limit) {
  ceph::wait_clean(cluster_, limit,
                   [this](const std::string& what) { say_("waiting for " + what); });
}

}  // namespace lab
