#include "runner/recovery/redundancy.h"

#include <algorithm>
#include <functional>
#include <map>

#include "runner/base/text.h"
#include "runner/ceph/conditions.h"

namespace lab::recovery {
namespace {

// As Ceph's own mon_osd_nearfull_ratio ships.
constexpr double kNearFull = 0.85;
constexpr size_t kNamed = 5;

struct PoolFacts {
  std::string name;
  size_t size = 0;
  size_t min_size = 0;
  std::string domain;
};

std::map<int, PoolFacts> pools_of(const ClusterAnswers& cluster) {
  std::map<int, std::string> domain_of_rule;
  for (const Json& rule : cluster.crush_rules)
    domain_of_rule[rule.at("rule_id").get<int>()] = ceph::failure_domain(rule);
  std::map<int, PoolFacts> pools;
  for (const Json& pool : cluster.osd_dump.at("pools"))
    pools[pool.at("pool").get<int>()] = {
        pool.at("pool_name").get<std::string>(), pool.at("size").get<size_t>(),
        pool.at("min_size").get<size_t>(), domain_of_rule[pool.at("crush_rule").get<int>()]};
  return pools;
}

void check_clean(const ClusterAnswers& cluster, std::vector<std::string>& reasons) {
  size_t unclean = 0;
  for (const Json& pg : cluster.pgs)
    if (!pg.at("state").get<std::string>().starts_with("active+clean")) ++unclean;
  if (unclean > 0)
    reasons.push_back(
        fmt::format("{} of {} placement groups are not active+clean", unclean, cluster.pgs.size()));
}

// Placement groups that would be left with fewer copies than they need to serve.
void check_copies(const ClusterAnswers& cluster, const std::set<int>& failing,
                  std::vector<std::string>& reasons) {
  const std::map<int, PoolFacts> pools = pools_of(cluster);
  std::map<int, std::vector<std::string>> short_of_copies;
  for (const Json& pg : cluster.pgs) {
    const std::string id = pg.at("pgid");
    const int pool = std::stoi(id.substr(0, id.find('.')));
    const auto facts = pools.find(pool);
    if (facts == pools.end()) continue;
    const Json& acting = pg.at("acting");
    const auto left = std::count_if(acting.begin(), acting.end(), [&](const Json& osd) {
      // A shard without a place has this number instead of an OSD's.
      constexpr int none = 0x7fffffff;
      return osd != none && !failing.contains(osd.get<int>());
    });
    if (static_cast<size_t>(left) < std::max<size_t>(1, facts->second.min_size))
      short_of_copies[pool].push_back(id);
  }
  for (const auto& [pool, ids] : short_of_copies) {
    const PoolFacts& facts = pools.at(pool);
    reasons.push_back(
        fmt::format("pool {} (size {}, min_size {}): {} of its placement groups would have fewer "
                    "copies than min_size, and stop ({})",
                    facts.name, facts.size, facts.min_size, ids.size(), first_few(ids, kNamed)));
  }
}

// Buckets of a type that still have an OSD which serves.
size_t domains_left(const ClusterAnswers& cluster, const std::string& type,
                    const std::set<int>& serving) {
  if (type == "osd" || type.empty()) return serving.size();
  std::map<int, const Json*> nodes;
  for (const Json& node : cluster.osd_tree.at("nodes")) nodes[node.at("id").get<int>()] = &node;
  const std::function<bool(int)> has_serving = [&](int id) {
    if (id >= 0) return serving.contains(id);
    const auto node = nodes.find(id);
    if (node == nodes.end() || !node->second->contains("children")) return false;
    const Json& children = node->second->at("children");
    return std::any_of(children.begin(), children.end(),
                       [&](const Json& child) { return has_serving(child.get<int>()); });
  };
  return static_cast<size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const auto& entry) {
    return entry.second->value("type", "") == type && has_serving(entry.first);
  }));
}

void check_places(const ClusterAnswers& cluster, const std::set<int>& serving,
                  std::vector<std::string>& reasons) {
  for (const auto& [id, pool] : pools_of(cluster)) {
    const size_t left = domains_left(cluster, pool.domain, serving);
    if (left < pool.size)
      reasons.push_back(fmt::format(
          "pool {} puts each of its {} copies into another {}, and {} would be left: it could not "
          "become clean again",
          pool.name, pool.size, pool.domain, left));
  }
}

void check_space(const ClusterAnswers& cluster, const std::set<int>& serving,
                 std::vector<std::string>& reasons) {
  double used = 0;
  double room = 0;
  for (const Json& osd : cluster.osd_df.at("nodes")) {
    used += osd.value("kb_used_data", 0.0);
    if (serving.contains(osd.at("id").get<int>())) room += osd.value("kb", 0.0);
  }
  if (room > 0 && used > kNearFull * room)
    reasons.push_back(fmt::format(
        "the data of all OSDs would fill those that are left to {:.0f}%, more than {:.0f}%",
        100 * used / room, 100 * kNearFull));
}

}  // namespace

ClusterAnswers ask(ceph::Cluster& cluster) {
  const Json pgs = cluster.mgr({{"prefix", "pg dump"}, {"dumpcontents", {"pgs_brief"}}});
  return {cluster.mon({{"prefix", "osd dump"}}), cluster.mon({{"prefix", "osd tree"}}),
          cluster.mon({{"prefix", "osd crush rule dump"}}),
          pgs.is_array() ? pgs : pgs.at("pg_stats"),
          cluster.mgr({{"prefix", "osd df"}, {"output_method", "plain"}})};
}

std::vector<int> serving_osds(const Json& osd_dump) {
  std::vector<int> osds;
  for (const Json& osd : osd_dump.at("osds"))
    if (osd.value("up", 0) == 1 && osd.value("in", 0) == 1)
      osds.push_back(osd.at("osd").get<int>());
  std::sort(osds.begin(), osds.end());
  return osds;
}

std::vector<std::string> obstacles(const ClusterAnswers& cluster, const Loss& loss) {
  std::vector<std::string> reasons;
  const std::vector<int> up_and_in = serving_osds(cluster.osd_dump);
  std::set<int> left(up_and_in.begin(), up_and_in.end());
  for (const int osd : loss.osds)
    if (left.erase(osd) == 0)
      reasons.push_back(fmt::format("osd.{} is not there, or not up and in", osd));
  check_clean(cluster, reasons);
  if (loss.copies) check_copies(cluster, loss.osds, reasons);
  if (loss.places) {
    check_places(cluster, left, reasons);
    check_space(cluster, left, reasons);
  }
  return reasons;
}

}  // namespace lab::recovery
