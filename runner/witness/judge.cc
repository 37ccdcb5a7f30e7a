#include "runner/witness/judge.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "runner/base/text.h"
#include "runner/witness/traffic.h"

namespace lab::witness {
namespace {

using results::Mark;
using results::Weight;

constexpr size_t kNamed = 5;  // OSDs in one text

// Checks of `ceph health` that say nothing of the seconds of a run: plans, settings and reminders.
// (Names from the health checks of Ceph's documentation.)
constexpr std::array<std::string_view, 11> kBesideTheRun = {"MON_DISK_LOW",
                                                            "POOL_APP_NOT_ENABLED",
                                                            "OSDMAP_FLAGS",
                                                            "OSD_FLAGS",
                                                            "PG_NOT_SCRUBBED",
                                                            "PG_NOT_DEEP_SCRUBBED",
                                                            "POOL_NO_REDUNDANCY",
                                                            "TELEMETRY_CHANGED",
                                                            "POOL_TOO_FEW_PGS",
                                                            "TOO_FEW_PGS",
                                                            "POOL_TARGET_SIZE_BYTES_OVERCOMMITTED"};

// A thread with less than this was waiting for something else, too.
constexpr double kThreadBoundPercent = 95;
constexpr double kHostBoundPercent = 95;
constexpr double kStolenPercent = 10;
// Pages that one process or another had swapped in or out are no swapping host: 4 MiB.
constexpr uint64_t kSwappedPages = 1024;

// A counter that could not be read stands at 0.
uint64_t grown(uint64_t before, uint64_t after) { return after > before ? after - before : 0; }

double percent_of(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

int severity(const std::string& status) {
  return status == "HEALTH_OK" ? 0 : status == "HEALTH_WARN" ? 1 : 2;
}

std::string check_name(const std::string& reason) { return reason.substr(0, reason.find(':')); }

std::string osd_list(const std::vector<int>& ids) {
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (int id : ids) names.push_back(fmt::format("osd.{}", id));
  return first_few(names, kNamed);
}

// OSDs before and after, held together by their ids.
void judge_osds(const ClusterSight& before, const ClusterSight& after, const During& during,
                std::vector<Mark>& marks) {
  std::map<int, const OsdSight*> now;
  for (const OsdSight& osd : after.osds) now[osd.id] = &osd;
  std::vector<int> restarted;
  std::vector<int> down;
  std::vector<int> moved;
  for (const OsdSight& then : before.osds) {
    const auto found = now.find(then.id);
    if (found == now.end()) {
      down.push_back(then.id);
      continue;
    }
    const OsdSight& osd = *found->second;
    if (then.in != osd.in) moved.push_back(osd.id);
    if (then.up && !osd.up)
      down.push_back(osd.id);
    else if (osd.up && (osd.up_from != then.up_from ||
                        (osd.process && then.process && *osd.process != *then.process)))
      restarted.push_back(osd.id);
    now.erase(found);
  }
  for (const auto& [id, osd] : now)
    if (osd->in) moved.push_back(id);
  if (!restarted.empty())
    marks.push_back({Weight::invalid, "osd-restarted",
                     fmt::format("{} went down and came up again during the run (crashed, started "
                                 "anew, or lost its peers): its clients waited for it",
                                 osd_list(restarted))});
  if (!down.empty())
    marks.push_back(
        {Weight::invalid, "osd-down", fmt::format("{} went down during the run", osd_list(down))});
  else if (restarted.empty() && during.looks > 0 && during.fewest_up < before.activity.osds_up)
    marks.push_back({Weight::invalid, "osd-down",
                     fmt::format("{} of {} OSDs were up at one moment of the run", during.fewest_up,
                                 before.activity.osds_up)});
  if (!moved.empty())
    marks.push_back({Weight::doubtful, "osd-in-changed",
                     fmt::format("{} became in or out during the run: data has another place now",
                                 osd_list(moved))});
}

void judge_health(const ClusterSight& before, const ClusterSight& after, const During& during,
                  std::vector<Mark>& marks) {
  const ceph::Health& then = before.activity.health;
  const ceph::Health& now = after.activity.health;
  std::set<std::string> known;
  for (const std::string& reason : then.reasons) known.insert(check_name(reason));
  std::string slow_ops = during.slow_ops;
  std::vector<std::string> disturbing;
  std::vector<std::string> beside;
  for (const std::string& reason : now.reasons) {
    const std::string name = check_name(reason);
    if (name == "SLOW_OPS") {
      if (slow_ops.empty()) slow_ops = reason;
    } else if (!known.contains(name)) {
      const bool is_beside =
          std::find(kBesideTheRun.begin(), kBesideTheRun.end(), name) != kBesideTheRun.end();
      (is_beside ? beside : disturbing).push_back(reason);
    }
  }
  if (!slow_ops.empty())
    marks.push_back(
        {Weight::doubtful, "slow-ops", "operations were stuck during the run: " + slow_ops});
  const std::string change =
      fmt::format("the cluster's health went from {} to {}", then.status, now.status);
  if (!disturbing.empty() ||
      (severity(now.status) > severity(then.status) && now.status == "HEALTH_ERR"))
    marks.push_back({Weight::doubtful, "health-worse",
                     change + (disturbing.empty() ? "" : ": " + first_few(disturbing, kNamed))});
  else if (!beside.empty())
    marks.push_back({Weight::note, "health-worse", change + ": " + first_few(beside, kNamed)});
}

void judge_background(const ClusterSight& before, const ClusterSight& after, const During& during,
                      std::vector<Mark>& marks) {
  auto when = [](bool began, unsigned looks, unsigned all, bool ended) -> std::string {
    std::vector<std::string> seen;
    if (began) seen.emplace_back("at its beginning");
    if (looks > 0) seen.push_back(fmt::format("in {} of {} looks during it", looks, all));
    if (ended) seen.emplace_back("at its end");
    return join(seen, ", ");
  };
  const ceph::PgStates& then = before.activity.pgs;
  const ceph::PgStates& now = after.activity.pgs;
  const std::string scrub =
      when(ceph::is_scrubbing(then), during.scrubbing, during.looks, ceph::is_scrubbing(now));
  if (!scrub.empty())
    marks.push_back(
        {Weight::doubtful, "scrub-ran", "PGs were scrubbed beside the run, seen " + scrub});
  const std::string recovery =
      when(ceph::is_recovering(then), during.recovering, during.looks, ceph::is_recovering(now));
  if (!recovery.empty()) {
    std::string states = during.recovery;
    if (states.empty()) states = recovery_text(ceph::is_recovering(now) ? now : then);
    marks.push_back({Weight::doubtful, "recovery-ran",
                     fmt::format("data was recovered or moved beside the run, seen {} ({})",
                                 recovery, states)});
  }
}

void judge_counts(const ClusterSight& before, const ClusterSight& after, const During& during,
                  const ClientAccount& client, uint64_t object_bytes, std::vector<Mark>& marks) {
  if (const auto served = served_between(before, after)) {
    for (Mark& mark : judge_traffic(*served, during, client, object_bytes))
      marks.push_back(std::move(mark));
    return;
  }
  std::vector<int> silent;
  for (const ClusterSight* sight : {&before, &after})
    for (const OsdSight& osd : sight->osds)
      if (osd.up && !osd.counters &&
          std::find(silent.begin(), silent.end(), osd.id) == silent.end())
        silent.push_back(osd.id);
  if (!silent.empty())
    marks.push_back({Weight::note, "osd-counters-unread",
                     fmt::format("{} did not tell how many operations they served: whether other "
                                 "clients loaded the cluster is not known",
                                 osd_list(silent))});
}

}  // namespace

std::vector<Mark> judge_cluster(const ClusterSight& before, const ClusterSight& after,
                                const During& during, const ClientAccount& client,
                                uint64_t object_bytes) {
  std::vector<Mark> marks;
  judge_osds(before, after, during, marks);
  judge_health(before, after, during, marks);
  judge_background(before, after, during, marks);
  // What else keeps the cluster from being as quiet as it was: peering, stale or unknown PGs.
  if (std::all_of(marks.begin(), marks.end(),
                  [](const Mark& mark) { return mark.weight == Weight::note; }))
    if (const std::vector<std::string> seen = ceph::obstacles(after.activity); !seen.empty())
      marks.push_back({Weight::doubtful, "cluster-not-quiet",
                       "at the end of the run the cluster was not quiet: " + join(seen, "; ")});
  judge_counts(before, after, during, client, object_bytes, marks);
  return marks;
}

std::vector<Mark> judge_host(const HostSight& before, const HostSight& after,
                             const std::optional<BusyThread>& busiest) {
  std::vector<Mark> marks;
  if (const uint64_t kills = grown(before.oom_kills, after.oom_kills); kills > 0)
    marks.push_back({Weight::invalid, "oom-kill",
                     fmt::format("the kernel of this host killed {} processes for lack of memory "
                                 "during the run",
                                 kills)});
  const uint64_t in = grown(before.pages_swapped_in, after.pages_swapped_in);
  const uint64_t out = grown(before.pages_swapped_out, after.pages_swapped_out);
  if (in + out > kSwappedPages) {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    marks.push_back({Weight::doubtful, "swapping",
                     fmt::format("this host swapped {} in and {} out during the run: memory was "
                                 "short, and disks were busy with it",
                                 format_bytes(in * page), format_bytes(out * page))});
  }
  const uint64_t ticks = grown(before.cpu_ticks, after.cpu_ticks);
  const double stolen = percent_of(grown(before.stolen_ticks, after.stolen_ticks), ticks);
  if (stolen > kStolenPercent)
    marks.push_back({Weight::doubtful, "cpu-stolen",
                     fmt::format("the hypervisor gave {:.0f}% of this host's CPU time to others "
                                 "during the run",
                                 stolen)});
  const bool shared = before.osds_here > 0 || after.osds_here > 0;
  if (busiest && busiest->cpu_percent >= kThreadBoundPercent)
    marks.push_back(
        {shared ? Weight::note : Weight::doubtful, "client-bound",
         fmt::format("fio's thread {} was busy for {:.0f}% of the time: the client was the limit"
                     "{}",
                     busiest->name, busiest->cpu_percent,
                     shared ? ", on cores that it shares with OSDs"
                            : ", not the cluster; spread the load over more jobs or hosts")});
  const double busy = 100 - percent_of(grown(before.idle_ticks, after.idle_ticks), ticks);
  if (!shared && ticks > 0 && busy >= kHostBoundPercent)
    marks.push_back({Weight::doubtful, "client-host-busy",
                     fmt::format("the cores of this host, which runs no OSD, were busy for {:.0f}% "
                                 "of the run: the client was the limit; use more hosts",
                                 busy)});
  return marks;
}

}  // namespace lab::witness
