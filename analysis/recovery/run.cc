#include "analysis/recovery/run.h"

#include <algorithm>
#include <chrono>

#include "analysis/recovery/client_log.h"
#include "results/samples.h"
#include "runner/base/error.h"
#include "runner/base/time.h"

namespace lab::analysis {
namespace {

constexpr double kLogInterval_s = 1;

struct Sum {
  double total = 0;
  uint64_t count = 0;
};

int64_t wall_ms(const std::string& text) {
  const std::optional<TimePoint> time = parse_utc(text);
  if (!time) throw usage_error("recovery.json: \"{}\" is no time", text);
  return std::chrono::duration_cast<std::chrono::milliseconds>(time->time_since_epoch()).count();
}

std::optional<double> higher(const std::optional<double>& a, double b) {
  return a ? std::max(*a, b) : b;
}

void read_memory(const fs::path& folder, RecoveryRun& run) {
  results::Samples samples(folder);
  results::Sample sample;
  std::map<std::string, Sum> baselines;
  const std::optional<double> clean_s = run.record.end_of("recovering");
  while (samples.next(sample)) {
    const bool peak = sample.metric == "peak_rss";
    if (!peak && sample.metric != "rss") continue;
    RecoveryMemory& memory = run.daemons[std::string(sample.daemon)];
    const auto bytes = static_cast<double>(sample.value);
    // A daemon tells its peak of a phase at the end of it.
    if (sample.phase == "failure" || sample.phase == "recovering")
      memory.peak = higher(memory.peak, bytes);
    if (peak) continue;
    if (sample.phase == "baseline") {
      Sum& sum = baselines[std::string(sample.daemon)];
      sum.total += bytes;
      ++sum.count;
    }
    if (clean_s && sample.time_s <= *clean_s) memory.clean = bytes;
    if (sample.phase == "cool-down") memory.cooled = bytes;
  }
  for (const auto& [daemon, sum] : baselines)
    run.daemons[daemon].baseline = sum.total / static_cast<double>(sum.count);
  if (samples.damaged().count > 0)
    run.warnings.push_back(samples.damaged().text(folder / "samples.csv"));
}

// Logged at its end, a second belongs to the phase that its middle lies in.
void read_clients(const fs::path& folder, RecoveryRun& run) {
  struct Span {
    std::string name;
    int64_t begin_ms = 0;
    int64_t end_ms = 0;
    bool used = false;
  };
  std::vector<Span> spans;
  spans.reserve(run.record.phases.size());
  for (const results::RecoveryPhase& phase : run.record.phases) {
    if (!spans.empty()) spans.back().end_ms = wall_ms(phase.begin);
    spans.push_back({phase.name, wall_ms(phase.begin), 0, false});
  }
  if (!spans.empty()) spans.back().end_ms = wall_ms(run.record.end);
  results::DamagedLines damaged;
  std::optional<int64_t> first_ms;
  std::map<std::string, std::pair<std::vector<Histogram::Bin>, std::vector<Histogram::Bin>>> bins;
  read_client_logs(
      folder,
      [&](const ClientSample& sample) {
        const auto middle = sample.at_ms - static_cast<int64_t>(500 * kLogInterval_s);
        const auto after = std::find_if(spans.begin(), spans.end(),
                                        [&](const Span& span) { return span.begin_ms > middle; });
        if (after == spans.begin()) return;
        Span& span = *(after - 1);
        span.used = true;
        first_ms = std::min(first_ms.value_or(sample.at_ms), sample.at_ms);
        auto& [write, read] = bins[span.name];
        auto& own = sample.write ? write : read;
        own.insert(own.end(), sample.bins.begin(), sample.bins.end());
        // Many seconds have the same bins.
        constexpr size_t kMany = size_t{1} << 16;
        if (own.size() > kMany) own = Histogram::of(std::move(own)).bins();
      },
      damaged);
  for (const Span& span : spans) {
    // The job is being ended when the cool-down begins: what it still does is no load of it.
    if (!span.used || span.name == "cool-down") continue;
    RecoveryClient& client = run.clients[span.name];
    // The whole phase, also where nothing was completed; the first one since the job has begun.
    const auto interval_ms = static_cast<int64_t>(1000 * kLogInterval_s);
    const int64_t begin = std::max(span.begin_ms, *first_ms - interval_ms);
    client.seconds = static_cast<double>(span.end_ms - begin) / 1000;
    client.write = Histogram::of(std::move(bins[span.name].first));
    client.read = Histogram::of(std::move(bins[span.name].second));
  }
  if (damaged.count > 0) run.warnings.push_back(damaged.text(folder / "client_clat_hist.*.log"));
}

std::optional<double> since(const std::optional<double>& time_s, double begin_s) {
  if (!time_s || *time_s < begin_s) return {};
  return *time_s - begin_s;
}

}  // namespace

std::optional<double> RecoveryMemory::kept() const {
  if (!cooled || !baseline) return {};
  return *cooled - *baseline;
}

std::optional<double> RecoveryClient::iops(const Histogram& clat) const {
  if (clat.empty() || seconds <= 0) return {};
  return static_cast<double>(clat.total()) / seconds;
}

bool RecoveryRun::failed(const std::string& daemon) const {
  return std::any_of(record.osds.begin(), record.osds.end(),
                     [&](int osd) { return daemon == "osd." + std::to_string(osd); });
}

namespace {

template <typename Figure>
std::vector<double> of_survivors(const RecoveryRun& run, Figure figure) {
  std::vector<double> values;
  for (const auto& [daemon, memory] : run.daemons) {
    if (!daemon.starts_with("osd.") || run.failed(daemon)) continue;
    if (const std::optional<double> value = figure(memory)) values.push_back(*value);
  }
  return values;
}

std::optional<double> mean_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  double total = 0;
  for (const double value : values) total += value;
  return total / static_cast<double>(values.size());
}

}  // namespace

std::optional<double> RecoveryRun::mean(std::optional<double> RecoveryMemory::*figure) const {
  return mean_of(of_survivors(*this, [&](const RecoveryMemory& memory) { return memory.*figure; }));
}

std::optional<double> RecoveryRun::mean_kept() const {
  return mean_of(of_survivors(*this, [](const RecoveryMemory& memory) { return memory.kept(); }));
}

std::optional<double> RecoveryRun::most(std::optional<double> RecoveryMemory::*figure) const {
  const std::vector<double> values =
      of_survivors(*this, [&](const RecoveryMemory& memory) { return memory.*figure; });
  if (values.empty()) return {};
  return *std::max_element(values.begin(), values.end());
}

RecoveryRun load_recovery_run(const fs::path& folder, results::RecoveryRecord record) {
  RecoveryRun run = load_recovery_memory(folder, std::move(record));
  read_clients(folder, run);
  return run;
}

RecoveryRun load_recovery_memory(const fs::path& folder, results::RecoveryRecord record) {
  RecoveryRun run;
  run.record = std::move(record);
  if (const results::RecoveryPhase* recovering = run.record.phase("recovering")) {
    run.to_clean_s = since(run.record.clean_s, recovering->begin_s);
    run.to_degraded_gone_s = since(run.record.degraded_gone_s, recovering->begin_s);
    run.to_misplaced_gone_s = since(run.record.misplaced_gone_s, recovering->begin_s);
    if (run.to_clean_s && *run.to_clean_s > 0 && run.record.recovered_bytes)
      run.bytes_per_s = static_cast<double>(*run.record.recovered_bytes) / *run.to_clean_s;
  }
  read_memory(folder, run);
  return run;
}

}  // namespace lab::analysis
