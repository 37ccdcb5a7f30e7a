#include "runner/recovery/recovery_watch.h"

#include <algorithm>

#include "runner/base/error.h"
#include "runner/ceph/health.h"

namespace lab::recovery {
namespace {

constexpr std::chrono::seconds kPeriod{1};
constexpr std::chrono::seconds kAnswer{10};

}  // namespace

results::RecoveryPoint parse_point(const Json& status, const Json& pg_sums) {
  const ceph::Activity activity = ceph::parse_status(status);
  results::RecoveryPoint point;
  point.degraded_objects = activity.degraded_objects;
  point.misplaced_objects = activity.misplaced_objects;
  uint64_t clean = 0;
  for (const auto& [state, count] : activity.pgs.by_state)
    if (ceph::all_clean({count, {{state, count}}})) clean += count;
  point.unclean_pgs = activity.pgs.total - std::min(clean, activity.pgs.total);
  const Json& map = pg_sums.contains("pg_map") ? pg_sums.at("pg_map") : pg_sums;
  const Json& sums = map.at("pg_stats_sum").at("stat_sum");
  point.recovered_objects = sums.at("num_objects_recovered");
  point.recovered_bytes = sums.at("num_bytes_recovered");
  return point;
}

RecoveryWatch::RecoveryWatch(ceph::Cluster& cluster, const fs::path& folder, Clock::time_point zero)
    : cluster_(cluster),
      log_(folder),
      zero_(zero),
      milestones_(std::chrono::duration<double>(ceph::stats_period(cluster)).count()),
      answered_(Clock::now()),
      thread_([this] { work(); }) {}

RecoveryWatch::~RecoveryWatch() { stop(); }

void RecoveryWatch::begin() {
  const std::lock_guard lock(mutex_);
  milestones_.begin(std::chrono::duration<double>(Clock::now() - zero_).count());
}

Milestones RecoveryWatch::milestones() const {
  const std::lock_guard lock(mutex_);
  return milestones_;
}

std::optional<results::RecoveryPoint> RecoveryWatch::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

std::chrono::duration<double> RecoveryWatch::silence() const {
  const std::lock_guard lock(mutex_);
  return Clock::now() - answered_;
}

void RecoveryWatch::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RecoveryWatch::work() {
  Clock::time_point next = Clock::now();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    std::optional<results::RecoveryPoint> point;
    const Clock::time_point asked = Clock::now();
    try {
      const Json status = cluster_.mon({{"prefix", "status"}});
      point = parse_point(
          status, cluster_.mgr({{"prefix", "pg dump"}, {"dumpcontents", {"sum"}}}, kAnswer));
      point->time_s = std::chrono::duration<double>(asked - zero_).count();
    } catch (const std::exception&) {
      // Asked again; silence() tells for how long nothing was heard.
    }
    lock.lock();
    if (point) {
      log_.add(*point);
      milestones_.add(*point);
      last_ = point;
      answered_ = Clock::now();
    }
    next = std::max(next + kPeriod, Clock::now());
    wake_.wait_until(lock, next, [this] { return stopping_; });
  }
}

}  // namespace lab::recovery
