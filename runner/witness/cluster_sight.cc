#include "runner/witness/cluster_sight.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "runner/ceph/conditions.h"
#include "runner/hosts/listeners.h"

namespace lab::witness {
namespace {

using std::chrono::milliseconds;

// For all OSDs to tell their counters: some seconds for the slow ones, and a few milliseconds
// each where there are thousands.
milliseconds time_to_tell(size_t osds) {
  return milliseconds(5000) + milliseconds(5) * static_cast<int64_t>(osds);
}

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Only those on this host have a process here.
void find_processes(const Json& osd_dump, std::vector<OsdSight>& osds) {
  std::map<int, hosts::Endpoint> addresses;
  std::vector<hosts::Endpoint> endpoints;
  for (const ceph::Osd& osd : ceph::parse_osds(osd_dump, Json::array())) {
    if (!osd.up) continue;
    addresses[osd.id] = osd.address;
    endpoints.push_back(osd.address);
  }
  const auto processes = hosts::find_listening_processes(endpoints);
  for (OsdSight& osd : osds) {
    const auto address = addresses.find(osd.id);
    if (address == addresses.end()) continue;
    if (const auto found = processes.find(address->second); found != processes.end())
      osd.process = found->second;
  }
}

void ask_counters(ceph::Cluster& cluster, std::vector<OsdSight>& osds) {
  std::vector<int> ids;
  for (const OsdSight& osd : osds)
    if (osd.up) ids.push_back(osd.id);
  const std::map<int, Json> answers =
      cluster.osds(ids, {{"prefix", "perf dump"}, {"logger", "osd"}}, time_to_tell(ids.size()));
  for (OsdSight& osd : osds)
    if (const auto found = answers.find(osd.id); found != answers.end())
      osd.counters = parse_counters(found->second);
}

}  // namespace

std::optional<OsdCounters> parse_counters(const Json& perf_dump) {
  if (!perf_dump.is_object() || !perf_dump.contains("osd")) return {};
  const Json& osd = perf_dump["osd"];
  for (const char* key : {"op_r", "op_w", "op_rw"})
    if (!osd.contains(key) || !osd[key].is_number_unsigned()) return {};
  auto count = [&](const char* key) { return osd.value(key, uint64_t{0}); };
  return OsdCounters{count("op_r"), count("op_w") + count("op_rw"), count("op_in_bytes"),
                     count("op_out_bytes")};
}

std::vector<OsdSight> parse_osd_map(const Json& osd_dump) {
  std::vector<OsdSight> osds;
  for (const Json& entry : osd_dump.at("osds")) {
    OsdSight osd;
    osd.id = entry.at("osd");
    osd.up = entry.value("up", 0) == 1;
    osd.in = entry.value("in", 0) == 1;
    osd.up_from = entry.value("up_from", uint64_t{0});
    osds.push_back(osd);
  }
  std::sort(osds.begin(), osds.end(),
            [](const OsdSight& a, const OsdSight& b) { return a.id < b.id; });
  return osds;
}

ClusterSight look_at(ceph::Cluster& cluster) {
  ClusterSight sight;
  sight.activity = ceph::read_activity(cluster);
  const Json osd_dump = cluster.mon({{"prefix", "osd dump"}});
  sight.osds = parse_osd_map(osd_dump);
  find_processes(osd_dump, sight.osds);
  ask_counters(cluster, sight.osds);
  sight.at_s = now_s();
  return sight;
}

}  // namespace lab::witness
