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
constexpr double kBytesAnyway = 16 << 20;
constexpr double kBytesASecond = 256 << 10;
// rbd_readahead_disable_after_bytes is 50 MiB; readahead is the cache's.
constexpr double kReadaheadBytes = 64 << 20;
// Less than this of a cache's doing is not worth a note.
constexpr double kWorthTellingPercent = 1;

double allowed_ops(const Traffic& served, const ClientAccount& client) {
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
  texts.reserve(pools.size());
  for (const auto& [ops, pool] : pools) texts.push_back(fmt::format("{} {:.0f}/s", pool, ops));
  return first_few(texts, kMost);
}

double beyond(uint64_t served, double most) {
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
  return {client.cached.has_value() ? Weight::invalid : Weight::doubtful, "reads-unserved",
          fmt::format("the client counts {} reads, the OSDs served {}: {:.0f}% were answered "
                      "without the cluster, {}",
                      client.reads, served.reads, unserved_percent(served.reads, expected),
                      client.cached.has_value()
                          ? "though the client's cache was off (never written parts of an image "
                            "are, where the client knows them)"
                          : "and whether a cache was in force is not known")};
}

// librbd merges writes of neighbouring blocks on their way, cache or not (rbd_io_scheduler): then
// fewer arrive, but no less data.
Mark unserved_writes(const Traffic& served, const ClientAccount& client, const Range& expected) {
  const double percent = unserved_percent(served.writes, expected);
  const double bytes = static_cast<double>(client.writes) * client.write_bytes;
  if (static_cast<double>(served.write_bytes) >= bytes * (1 - kShare))
    return {Weight::note, "writes-merged",
            fmt::format("{:.0f}% of the writes were merged with their neighbours by librbd before "
                        "the OSDs saw them, without a cache: all of the data arrived",
                        percent)};
  return {client.cached.has_value() ? Weight::invalid : Weight::doubtful, "writes-unserved",
          fmt::format("the client counts {} writes ({}), the OSDs served {} ({}): {:.0f}% did not "
                      "get to them, {}",
                      client.writes, format_bytes(static_cast<uint64_t>(bytes)), served.writes,
                      format_bytes(served.write_bytes), percent,
                      client.cached.has_value() ? "though the client's cache was off"
                                                : "and whether a cache was in force is not known")};
}

struct Excess {
  double ops = 0;
  double bytes = 0;
};

// What the OSDs served beyond what this client can have asked for. None if it is within what
// opening and housekeeping take. Few large operations show in bytes only.
std::optional<Excess> others(const Traffic& served, const ClientAccount& client,
                             uint64_t object_bytes) {
  const Range reads = expected_ops(client.reads, client.read_bytes, object_bytes);
  const Range writes = expected_ops(client.writes, client.write_bytes, object_bytes);
  // A discard may be several operations, or none where it is too small to free anything.
  const double trims = expected_ops(client.trims, client.trim_bytes, object_bytes).most;
  const double read_bytes = static_cast<double>(client.reads) * client.read_bytes;
  const double write_bytes = static_cast<double>(client.writes) * client.write_bytes +
                             static_cast<double>(client.trims) * client.trim_bytes;
  const Excess excess{
      beyond(served.reads, reads.most) + beyond(served.writes, writes.most + trims),
      beyond(served.read_bytes, read_bytes) + beyond(served.write_bytes, write_bytes)};
  const double own = reads.most + writes.most + trims;
  const double readahead =
      client.cached == false ? 0 : kReadaheadBytes * static_cast<double>(client.opens);
  if (excess.ops > kShare * own + allowed_ops(served, client)) return excess;
  if (excess.bytes > kShare * (read_bytes + write_bytes) + kBytesAnyway +
                         kBytesASecond * served.seconds + readahead)
    return excess;
  return {};
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
    if (now.counters->reads < then.counters->reads ||
        now.counters->writes < then.counters->writes ||
        now.counters->in_bytes < then.counters->in_bytes ||
        now.counters->out_bytes < then.counters->out_bytes)
      return {};
    traffic.reads += now.counters->reads - then.counters->reads;
    traffic.writes += now.counters->writes - then.counters->writes;
    traffic.read_bytes += now.counters->out_bytes - then.counters->out_bytes;
    traffic.write_bytes += now.counters->in_bytes - then.counters->in_bytes;
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
  const double allowed = allowed_ops(served, client);
  if (const std::optional<Excess> excess = others(served, client, object_bytes)) {
    const std::string pools = busiest_pools(during);
    const double seconds = std::max(1.0, served.seconds);
    marks.push_back(
        {Weight::doubtful, "foreign-traffic",
         fmt::format("the OSDs served {} reads and {} writes, this client did {} and {}: other "
                     "clients loaded the cluster with about {:.0f} operations and {} a second{}",
                     served.reads, served.writes, client.reads, client.writes + client.trims,
                     excess->ops / seconds,
                     format_bytes(static_cast<uint64_t>(excess->bytes / seconds)),
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
