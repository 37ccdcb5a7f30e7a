#include "runner/ceph/health.h"

#include <algorithm>
#include <array>

#include "runner/base/interrupt.h"
#include "runner/base/text.h"

namespace lab::ceph {
namespace {

// Checks of `ceph health` that are trouble for a measurement even while all PGs are
// clean. (Names from the health checks of Ceph's documentation.)
constexpr std::array<std::string_view, 10> kDisturbing = {
    "SLOW_OPS",     "OSD_DOWN",         "MON_DOWN",  "MGR_DOWN",         "OSD_FULL",
    "OSD_NEARFULL", "OSD_BACKFILLFULL", "POOL_FULL", "BLUEFS_SPILLOVER", "OSD_UNREACHABLE"};

std::string name_of(const std::string& reason) { return reason.substr(0, reason.find(':')); }

bool disturbs(const std::string& reason) {
  std::string name = name_of(reason);
  return std::find(kDisturbing.begin(), kDisturbing.end(), name) != kDisturbing.end();
}

uint64_t count(const Json& object, const char* key) { return object.value(key, uint64_t{0}); }

bool has_part(const std::string& state, std::string_view part) {
  for (const std::string& each : split(state, '+'))
    if (each == part) return true;
  return false;
}

}  // namespace

Health parse_health(const Json& health) {
  Health parsed;
  parsed.status = health.at("status");
  for (const auto& [name, check] : health.at("checks").items())
    if (!check.value("muted", false))
      parsed.reasons.push_back(
          fmt::format("{}: {}", name, check.at("summary").value("message", "no message")));
  return parsed;
}

Activity parse_status(const Json& status) {
  Activity activity;
  activity.health = parse_health(status.at("health"));
  const Json& pgmap = status.at("pgmap");
  activity.pgs.total = count(pgmap, "num_pgs");
  for (const Json& entry : pgmap.at("pgs_by_state"))
    activity.pgs.by_state[entry.at("state_name")] = entry.at("count");
  activity.degraded_objects = count(pgmap, "degraded_objects");
  activity.misplaced_objects = count(pgmap, "misplaced_objects");
  activity.recovery_bytes_per_s = pgmap.value("recovering_bytes_per_sec", 0.0);
  // Nautilus wraps the OSD map into another one.
  const Json& osdmap =
      status.at("osdmap").contains("osdmap") ? status["osdmap"]["osdmap"] : status["osdmap"];
  activity.osds = count(osdmap, "num_osds");
  activity.osds_up = count(osdmap, "num_up_osds");
  activity.osds_in = count(osdmap, "num_in_osds");
  for (const std::string& reason : activity.health.reasons)
    activity.slow_ops = activity.slow_ops || name_of(reason) == "SLOW_OPS";
  return activity;
}

bool all_clean(const PgStates& pgs) {
  if (pgs.total == 0) return false;
  uint64_t clean = 0;
  for (const auto& [state, number] : pgs.by_state)
    if (has_part(state, "active") && has_part(state, "clean")) clean += number;
  return clean == pgs.total;
}

bool is_scrubbing(const PgStates& pgs) {
  return std::any_of(pgs.by_state.begin(), pgs.by_state.end(), [](const auto& entry) {
    return entry.second > 0 && has_part(entry.first, "scrubbing");
  });
}

bool is_recovering(const PgStates& pgs) {
  // "recovering", "recovery_wait", "recovery_toofull", "backfilling", "backfill_wait", …
  return std::any_of(pgs.by_state.begin(), pgs.by_state.end(), [](const auto& entry) {
    for (const std::string& part : split(entry.first, '+'))
      if (entry.second > 0 && (part.starts_with("recover") || part.starts_with("backfill")))
        return true;
    return false;
  });
}

std::vector<std::string> unclean(const Activity& activity) {
  std::vector<std::string> found;
  if (activity.pgs.total == 0) found.emplace_back("no PGs are known (no pool, or no manager)");
  uint64_t known = 0;
  for (const auto& [state, number] : activity.pgs.by_state) {
    known += number;
    if (state != "active+clean" && number > 0)
      found.push_back(fmt::format("{} of {} PGs {}", number, activity.pgs.total, state));
  }
  if (known < activity.pgs.total)
    found.push_back(fmt::format("{} of {} PGs not reported yet", activity.pgs.total - known,
                                activity.pgs.total));
  if (activity.degraded_objects > 0)
    found.push_back(fmt::format("{} degraded objects", activity.degraded_objects));
  if (activity.misplaced_objects > 0)
    found.push_back(fmt::format("{} misplaced objects", activity.misplaced_objects));
  return found;
}

std::vector<std::string> obstacles(const Activity& activity) {
  std::vector<std::string> found = unclean(activity);
  for (const std::string& reason : activity.health.reasons)
    if (disturbs(reason)) found.push_back(reason);
  if (activity.health.status == "HEALTH_ERR" && found.empty())
    found.push_back("HEALTH_ERR: " + join(activity.health.reasons, "; "));
  return found;
}

std::chrono::seconds stats_period(const Cluster& cluster) {
  return std::chrono::seconds(
      std::clamp(std::atoi(cluster.client_option("mgr_stats_period").c_str()), 1, 30));
}

Activity read_activity(Cluster& cluster) {
  return parse_status(cluster.mon({{"prefix", "status"}}));
}

namespace {

using Look = std::vector<std::string> (*)(const Activity&);

void wait_without(Look look, const char* state, Cluster& cluster, std::chrono::seconds limit,
                  const std::function<void(const std::string&)>& progress) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::seconds period = stats_period(cluster);
  auto deadline = Clock::now() + limit;
  Clock::time_point quiet_since;
  bool quiet = false;
  std::string told;
  for (;;) {
    std::vector<std::string> found = look(read_activity(cluster));
    auto now = Clock::now();
    if (found.empty()) {
      if (!quiet) quiet_since = now;
      quiet = true;
      if (now - quiet_since > period) return;
    } else {
      quiet = false;
      std::string text = join(found, ", ");
      if (progress && text != told) progress(text);
      told = text;
    }
    if (now >= deadline)
      throw environment_error(
          "the cluster didn't get {} within {} s: {}", state, limit.count(),
          found.empty() ? "it has been for less than its statistics' period" : join(found, ", "));
    interruptible_sleep(std::chrono::milliseconds(200));
  }
}

}  // namespace

void wait_quiet(Cluster& cluster, std::chrono::seconds limit,
                const std::function<void(const std::string&)>& progress) {
  wait_without(obstacles, "quiet", cluster, limit, progress);
}

void wait_clean(Cluster& cluster, std::chrono::seconds limit,
                const std::function<void(const std::string&)>& progress) {
  wait_without(unclean, "clean", cluster, limit, progress);
}

}  // namespace lab::ceph
