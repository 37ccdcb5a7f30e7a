#include "runner/target/ceph_side.h"

#include <algorithm>

#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/ceph/conditions.h"
#include "runner/ceph/health.h"

namespace lab {
namespace {

constexpr std::chrono::seconds kQuietLimit{600};

std::string allocator_text(const ceph::Osd& osd) {
  if (osd.allocator.empty()) return "unknown (not on this host)";
  std::string text = osd.allocator;
  if (!osd.allocator_package.empty())
    text += fmt::format(" ({} {})", osd.allocator_package, osd.allocator_version);
  return text;
}

// "osd.0-2 glibc (libc6 2.36-9)", one part for each kind.
std::string allocators_text(const std::vector<ceph::Osd>& osds) {
  std::vector<std::string> parts;
  std::vector<std::string> kinds;
  for (const ceph::Osd& osd : osds) {
    const std::string kind = allocator_text(osd);
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    kinds.push_back(kind);
    const auto of_kind = std::count_if(osds.begin(), osds.end(), [&](const ceph::Osd& other) {
      return allocator_text(other) == kind;
    });
    if (static_cast<size_t>(of_kind) == osds.size()) {
      parts.push_back(fmt::format("{} on all {} OSDs", kind, osds.size()));
      continue;
    }
    std::vector<std::string> names;
    for (const ceph::Osd& other : osds)
      if (allocator_text(other) == kind) names.push_back(fmt::format("osd.{}", other.id));
    parts.push_back(fmt::format("{} on {}", kind, join(names, ", ")));
  }
  return join(parts, "; ");
}

}  // namespace

void CephSide::wait_quiet(const PrepareProgress& progress) {
  ceph::wait_quiet(cluster_, kQuietLimit,
                   [&](const std::string& what) { progress("waiting for " + what, 0); });
}

void CephSide::settle() {
  if (!ceph::obstacles(ceph::read_activity(cluster_)).empty())
    ceph::wait_quiet(cluster_, kQuietLimit, [](const std::string&) { check_interrupt(); });
  ceph::drop_caches(cluster_);
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
  out.emplace_back("allocator", allocators_text(osds));
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
