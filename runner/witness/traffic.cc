#include "runner/witness/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runner/base/text.h"

namespace lab::witness {
namespace {

using results::Mark;
using results::Weight;

// Counted by client and OSDs for the same I/O, the two agree exactly for writes and within 0.3%
// for reads (measured, cache off); further apart than this something else was at work.
constexpr double kShare = 0.05;
// What opening and closing an image, its lock and watch, and the daemons' own housekeeping take.
constexpr double kOpsAnyway = 200;
constexpr double kOpsAnOpen = 50;
constexpr double kOpsASecond = 10;
// Less than this of a cache's doing is not worth a note.
constexpr double kWorthTellingPercent = 1;

double slack(const Traffic& served, const ClientAccount& client) {
  return kOpsAnyway + kOpsAnOpen * static_cast<double>(client.opens) + kOpsASecond * served.seconds;
}

// "rbd 1200/s, bench 310/s": the busiest first; empty where one pool alone was at work.
std::string busiest_pools(const During& during) {
  constexpr size_t kMost = 3;
  std::vector<std::pair<double, std::string>> pools;
  for (const auto& [pool, ops] : during.pool_ops)
    if (ops >= 1) pools.emplace_back(ops, pool);
  if (pools.size() < 2) return "";
  std::sort(pools.rbegin(), pools.rend());
  std::vector<std::string> texts;
  for (const auto& [ops, pool] : pools) texts.push_back(fmt::format("{} {:.0f}/s", pool, ops));
  return first_few(texts, kMost);
}

double excess(uint64_t served, double most) {
  return std::max(0.0, static_cast<double>(served) - most);
}

bool is_short(uint64_t served, const Range& expected, double allowed) {
  return static_cast<double>(served) < expected.least * (1 - kShare) - allowed;
}

// Of what the client did, the part that the OSDs did not serve.
double unserved_percent(uint64_t served, const Range& expected) {
  if (expected.least <= 0) return 0;
  return std::max(0.0, 100 * (1 - static_cast<double>(served) / expected.least));
}

Mark unserved_reads(const Traffic& served, const ClientAccount& client, const Range& expected) {
  return {client.cached ? Weight::invalid : Weight::doubtful, "reads-unserved",
          fmt::format("the client counts {} reads, the OSDs served {}: {:.0f}% were answered "
                      "without the cluster, {}",
                      client.reads, served.reads, unserved_percent(served.reads, expected),
                      client.cached
                          ? "though the client's cache was off (never written parts of an image "
                            "are, where the client knows them)"
                          : "and whether a cache was in force is not known")};
}

Mark unserved_writes(const Traffic& served, const ClientAccount& client, const Range& expected) {
  return {client.cached ? Weight::invalid : Weight::doubtful, "writes-unserved",
          fmt::format("the client counts {} writes, the OSDs served {}: {:.0f}% did not get to "
                      "them one by one, {}",
                      client.writes, served.writes, unserved_percent(served.writes, expected),
                      client.cached ? "though the client's cache was off"
                                    : "and whether a cache was in force is not known")};
}

}  // namespace

std::optional<Traffic> served_between(const ClusterSight& before, const ClusterSight& after) {
  Traffic traffic;
  traffic.seconds = after.at_s - before.at_s;
  if (before.osds.empty() || before.osds.size() != after.osds.size()) return {};
  for (size_t i = 0; i < before.osds.size(); ++i) {
    const OsdSight& then = before.osds[i];
    const OsdSight& now = after.osds[i];
    if (then.id != now.id) return {};
    // One that is down all the time serves nothing.
    if (!then.up && !now.up && then.up_from == now.up_from) continue;
    if (!then.counters || !now.counters || then.up_from != now.up_from) return {};
    if (now.counters->reads < then.counters->reads || now.counters->writes < then.counters->writes)
      return {};
    traffic.reads += now.counters->reads - then.counters->reads;
    traffic.writes += now.counters->writes - then.counters->writes;
  }
  return traffic;
}

Range expected_ops(uint64_t ios, double bytes, uint64_t object_bytes) {
  const auto count = static_cast<double>(ios);
  if (object_bytes == 0 || bytes <= 0) return {count, count};
  const auto object = static_cast<double>(object_bytes);
  const double least = count * std::max(1.0, bytes / object);
  // Blocks that fill an object evenly, or that objects fill evenly, cross no border: fio's offsets
  // are multiples of the block size. Of others a share of bytes / object does.
  const bool even = std::fmod(object, bytes) == 0 || std::fmod(bytes, object) == 0;
  return {least, even ? least : count * (1 + bytes / object)};
}

std::vector<Mark> judge_traffic(const Traffic& served, const During& during,
                                const ClientAccount& client, uint64_t object_bytes) {
  if (!client.whole) return {};
  std::vector<Mark> marks;
  const Range reads = expected_ops(client.reads, client.read_bytes, object_bytes);
  const Range writes = expected_ops(client.writes, client.write_bytes, object_bytes);
  // A discard may be several operations, or none where it is too small to free anything.
  const double trims = expected_ops(client.trims, client.trim_bytes, object_bytes).most;
  const double allowed = slack(served, client);

  const double foreign =
      excess(served.reads, reads.most) + excess(served.writes, writes.most + trims);
  const double own = reads.most + writes.most + trims;
  if (foreign > kShare * own + allowed) {
    const std::string pools = busiest_pools(during);
    marks.push_back(
        {Weight::doubtful, "foreign-traffic",
         fmt::format("the OSDs served {} reads and {} writes, this client did {} and {}: other "
                     "clients loaded the cluster with about {:.0f} operations a second{}",
                     served.reads, served.writes, client.reads, client.writes + client.trims,
                     foreign / std::max(1.0, served.seconds),
                     pools.empty() ? "" : fmt::format(" (by pool: {})", pools))});
  }
  if (client.cached.value_or(false)) {
    const double read = unserved_percent(served.reads, reads);
    const double written = unserved_percent(served.writes, writes);
    if (read >= kWorthTellingPercent || written >= kWorthTellingPercent)
      marks.push_back({Weight::note, "cache-share",
                       fmt::format("the client's cache served {:.0f}% of the reads, and "
                                   "coalesced {:.0f}% of the writes",
                                   read, written)});
    return marks;
  }
  if (is_short(served.reads, reads, allowed))
    marks.push_back(unserved_reads(served, client, reads));
  if (is_short(served.writes, writes, allowed))
    marks.push_back(unserved_writes(served, client, writes));
  return marks;
}

}  // namespace lab::witness
