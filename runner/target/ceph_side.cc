#include "runner/target/ceph_side.h"

#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/ceph/conditions.h"
#include "runner/ceph/health.h"

namespace lab {
namespace {

constexpr std::chrono::seconds kQuietLimit{600};

}  // namespace

void CephSide::wait_quiet(const PrepareProgress& progress) {
  ceph::wait_quiet(cluster_, kQuietLimit,
                   [&](const std::string& what) { progress("waiting for " + what, 0); });
}

std::vector<results::Mark> CephSide::settle(const std::function<void(const std::string&)>& say,
                                            Start start) {
  if (start == Start::going_on) {
    witness_.begin();
    return {};
  }
  if (!ceph::obstacles(ceph::read_activity(cluster_)).empty())
    ceph::wait_quiet(cluster_, kQuietLimit, [&](const std::string& what) {
      check_interrupt();
      say("waiting for " + what);
    });
  const std::vector<std::string> failures = ceph::drop_caches(cluster_);
  witness_.begin();
  if (failures.empty()) return {};
  return {{results::Weight::note, "caches-not-dropped",
           fmt::format("the caches of {} OSDs could not be dropped before the run ({})",
                       failures.size(), failures[0])}};
}

results::TextList CephSide::conditions(const RbdData& data) {
  const ceph::Pool pool = ceph::read_pool(cluster_, data.pool());
  const std::vector<ceph::Osd> osds = ceph::read_osds(cluster_);
  results::TextList out;
  out.emplace_back("image", fmt::format("{}/{}, {}, objects of {}, written whole before",
                                        data.pool(), data.image(), format_bytes(data.size_bytes()),
                                        format_bytes(data.object_bytes())));
  out.emplace_back(
      "pool", fmt::format("{}, {}, size {} (min {}), {} PGs, failure domain {}", pool.name,
                          pool.type, pool.size, pool.min_size, pool.pg_num, pool.failure_domain));
  out.emplace_back("replicas", pool.type == "replicated" ? std::to_string(pool.size)
                                                         : "erasure " + pool.erasure_profile);
  out.emplace_back("Ceph client", ceph::client_version());
  out.emplace_back("Ceph server", ceph::read_server_versions(cluster_));
  out.emplace_back("OSDs", std::to_string(osds.size()));
  out.emplace_back("before each run", "cluster quiet, OSD caches dropped");
  return out;
}

std::vector<results::OsdRecord> CephSide::osds() {
  std::vector<results::OsdRecord> out;
  for (const ceph::Osd& osd : ceph::read_osds(cluster_))
    out.push_back({osd.id, osd.host, osd.allocator, osd.allocator_package, osd.allocator_version});
  return out;
}

}  // namespace lab
