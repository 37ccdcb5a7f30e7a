#include "runner/witness/cluster_watch.h"

#include <algorithm>
#include <chrono>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::witness {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// As often as the managers' statistics are new at best, and a tenth of a long run apart at most.
constexpr milliseconds kShortest{2000};
constexpr milliseconds kLongest{10000};
constexpr milliseconds kStatsLimit{2000};

// A look may take no more than a fiftieth of the time.
milliseconds until_next(milliseconds elapsed, milliseconds cost) {
  return std::max(std::clamp(elapsed / 10, kShortest, kLongest), cost * 50);
}

milliseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

}  // namespace

std::string recovery_text(const ceph::PgStates& pgs) {
  std::vector<std::string> states;
  for (const auto& [state, count] : pgs.by_state)
    if (ceph::is_recovering({count, {{state, count}}}))
      states.push_back(fmt::format("{} of {} PGs {}", count, pgs.total, state));
  return first_few(states, 3);
}

void During::add(const ceph::Activity& activity, const Json& pool_stats) {
  fewest_up = looks == 0 ? activity.osds_up : std::min(fewest_up, activity.osds_up);
  ++looks;
  if (ceph::is_scrubbing(activity.pgs)) ++scrubbing;
  if (ceph::is_recovering(activity.pgs)) {
    ++recovering;
    if (recovery.empty()) recovery = recovery_text(activity.pgs);
  }
  if (slow_ops.empty())
    for (const std::string& reason : activity.health.reasons)
      if (reason.starts_with("SLOW_OPS")) slow_ops = reason;
  std::map<std::string, double> ops;
  if (pool_stats.is_array())
    for (const Json& pool : pool_stats) {
      const Json rate = pool.value("client_io_rate", Json::object());
      ops[pool.value("pool_name", "")] =
          rate.value("read_op_per_sec", 0.0) + rate.value("write_op_per_sec", 0.0);
    }
  // A pool without clients, or that isn't there any more, did nothing this time.
  for (const auto& [pool, unused] : pool_ops) ops.try_emplace(pool, 0);
  for (const auto& [pool, now] : ops) {
    if (now == 0 && !pool_ops.contains(pool)) continue;
    double& mean = pool_ops[pool];
    mean += (now - mean) / looks;
  }
}

void ClusterWatch::start() {
  stop();
  during_ = {};
  stopping_ = false;
  thread_ = std::thread([this] { work(); });
}

During ClusterWatch::stop() {
  if (!thread_.joinable()) return {};
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  return std::move(during_);
}

void ClusterWatch::work() {
  const Clock::time_point begin = Clock::now();
  milliseconds cost{0};
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, until_next(since(begin), cost), [&] { return stopping_; })) {
    lock.unlock();
    const Clock::time_point look = Clock::now();
    try {
      const ceph::Activity activity = ceph::read_activity(cluster_);
      Json pools;
      try {
        pools = cluster_.mgr({{"prefix", "osd pool stats"}}, kStatsLimit);
      } catch (const Error&) {
        // Who the other clients are is known less well then.
      }
      during_.add(activity, pools);
    } catch (const Error&) {
      // The look after the run tells if the cluster is gone.
    }
    cost = since(look);
    lock.lock();
  }
}

}  // namespace lab::witness
