#include "runner/ceph/background.h"

#include "runner/base/text.h"

namespace lab::ceph {

std::set<std::string> parse_osd_flags(const Json& osd_dump) {
  std::set<std::string> flags;
  for (const std::string& flag : split(osd_dump.at("flags").get<std::string>(), ','))
    if (!flag.empty()) flags.insert(flag);
  return flags;
}

std::set<std::string> read_osd_flags(Cluster& cluster) {
  return parse_osd_flags(cluster.mon({{"prefix", "osd dump"}}));
}

void set_osd_flag(Cluster& cluster, const std::string& flag, bool on) {
  cluster.mon({{"prefix", on ? "osd set" : "osd unset"}, {"key", flag}});
}

Balancer read_balancer(Cluster& cluster) {
  Json status = cluster.mgr({{"prefix", "balancer status"}});
  return {status.at("active"), status.at("mode")};
}

void set_balancer(Cluster& cluster, bool active) {
  cluster.mgr({{"prefix", active ? "balancer on" : "balancer off"}});
}

std::map<int, std::string> parse_reweights(const Json& osd_dump) {
  std::map<int, std::string> weights;
  for (const Json& osd : osd_dump.at("osds"))
    weights[osd.at("osd").get<int>()] = fmt::format("{}", osd.at("weight").get<double>());
  return weights;
}

void set_reweight(Cluster& cluster, int osd, const std::string& weight) {
  cluster.mon({{"prefix", "osd reweight"}, {"id", osd}, {"weight", std::stod(weight)}});
}

std::map<std::string, std::string> parse_autoscale_modes(const Json& osd_dump) {
  std::map<std::string, std::string> modes;
  for (const Json& pool : osd_dump.at("pools"))
    // Clusters before Nautilus have no autoscaler.
    modes[pool.at("pool_name")] = pool.value("pg_autoscale_mode", "off");
  return modes;
}

std::map<std::string, std::string> read_autoscale_modes(Cluster& cluster) {
  return parse_autoscale_modes(cluster.mon({{"prefix", "osd dump"}}));
}

void set_autoscale_mode(Cluster& cluster, const std::string& pool, const std::string& mode) {
  cluster.mon(
      {{"prefix", "osd pool set"}, {"pool", pool}, {"var", "pg_autoscale_mode"}, {"val", mode}});
}

}  // namespace lab::ceph
