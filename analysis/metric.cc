#include "analysis/metric.h"

#include <algorithm>
#include <map>

#include "analysis/io_direction.h"
#include "analysis/render/wording.h"
#include "analysis/row_processes.h"
#include "analysis/welch.h"

namespace lab::analysis {
namespace {

using stats::Direction;

using OfRun = std::optional<double> (*)(const DirectionFigures&);

RowMetric metric(const IoDirection& side, const char* key, const char* unit, Direction direction,
                 OfRun of_run, std::optional<double> Summary::*shown) {
  RowMetric out;
  out.key = fmt::format("{}_{}", side.name, key);
  out.name = fmt::format("{} {}", side.name, std::string_view(key) == "iops" ? "IOPS" : key);
  out.label = out.name;
  if (std::string_view(key) == "mean") out.name = fmt::format("{} mean latency", side.name);
  out.unit = unit;
  out.direction = direction;
  out.sample = [side, of_run](const RunFigures& run,
                              const results::Row& row) -> std::optional<double> {
    // A mean over a baseline, a failure and a recovery is the figure of none of them.
    if (run.recovery) return {};
    const DirectionFigures* figures = figures_of(run, row, side);
    return figures ? of_run(*figures) : std::nullopt;
  };
  out.value = [side, shown](const Table&, const TableRow& row) { return row.*side.summary.*shown; };
  return out;
}

std::optional<double> counted_iops(const DirectionFigures& f) { return f.counted_iops; }

std::optional<double> mean_ms(const DirectionFigures& f) {
  if (f.clat_mean_ns <= 0) return {};
  return f.clat_mean_ns / 1e6;
}

std::optional<double> p99_ms(const DirectionFigures& f) {
  if (!f.clat_percentiles.p99_ns) return {};
  return static_cast<double>(*f.clat_percentiles.p99_ns) / 1e6;
}

// Resident at the end of a run, of an OSD on the average. Of runs under a restart of their own:
// other cells share their OSDs, and nothing tells which of them the memory is due to.
std::optional<double> resident(const RunFigures& run, const results::Row&) {
  if (run.recovery) return run.recovery->normal_bytes;
  const std::vector<results::OsdProcess>& osds = run.record.osds;
  if (osds.empty() || run.record.unit == 0) return {};
  double sum = 0;
  for (const results::OsdProcess& osd : osds) sum += static_cast<double>(osd.rss_bytes);
  return sum / static_cast<double>(osds.size());
}

// One figure of recoveries.
RowMetric recovery_metric(const char* key, const char* name, const char* unit,
                          std::optional<double> RecoveryFigures::*figure) {
  RowMetric out;
  out.key = key;
  out.name = name;
  out.label = name;
  out.unit = unit;
  out.direction = Direction::lower_is_better;
  out.sample = [figure](const RunFigures& run, const results::Row&) -> std::optional<double> {
    return run.recovery ? (*run.recovery).*figure : std::nullopt;
  };
  out.value = [sample = out.sample](const Table& table,
                                    const TableRow& row) -> std::optional<double> {
    std::vector<double> values;
    for (const Repetition& repetition : row.repetitions)
      if (const RunFigures* run = table.find_run(repetition.run))
        if (const auto value = sample(*run, row.plan)) values.push_back(*value);
    if (values.empty()) return {};
    return stats::geometric_mean(values, 0.95).value;
  };
  return out;
}

RowMetric memory_metric() {
  RowMetric out;
  out.key = "memory";
  out.name = "memory of an OSD";
  out.label = "memory";
  out.unit = "bytes";
  out.direction = Direction::lower_is_better;
  out.sample = resident;
  out.value = [normal = recovery_metric("", "", "", &RecoveryFigures::normal_bytes).value](
                  const Table& table, const TableRow& row) -> std::optional<double> {
    if (const auto of_recoveries = normal(table, row)) return of_recoveries;
    const bool restarted = std::any_of(row.repetitions.begin(), row.repetitions.end(),
                                       [](const Repetition& r) { return r.unit != 0; });
    return restarted ? row_processes(table, row).mean_rss : std::nullopt;
  };
  return out;
}

}  // namespace

const std::vector<RowMetric>& row_metrics() {
  static const std::vector<RowMetric> all = [] {
    std::vector<RowMetric> list;
    for (const IoDirection& side : {kWrite, kRead})
      list.push_back(
          metric(side, "iops", "", Direction::higher_is_better, counted_iops, &Summary::iops));
    for (const IoDirection& side : {kWrite, kRead})
      list.push_back(
          metric(side, "mean", "ms", Direction::lower_is_better, mean_ms, &Summary::mean_ms));
    for (const IoDirection& side : {kWrite, kRead})
      list.push_back(
          metric(side, "p99", "ms", Direction::lower_is_better, p99_ms, &Summary::p99_ms));
    list.push_back(memory_metric());
    list.push_back(recovery_metric("memory_in_recovery", "memory of an OSD in recovery", "bytes",
                                   &RecoveryFigures::peak_bytes));
    list.push_back(
        recovery_metric("recovery_time", "recovery time", "s", &RecoveryFigures::to_clean_s));
    return list;
  }();
  return all;
}

const std::vector<DirectoryMetric>& directory_metrics() {
  static const std::vector<DirectoryMetric> all = {
      {{"memory", "memory of an OSD", "memory", "bytes", Direction::lower_is_better},
       &OsdMemory::normal},
      {{"memory_in_recovery", "memory of an OSD in recovery", "memory in recovery", "bytes",
        Direction::lower_is_better},
       &OsdMemory::in_recovery}};
  return all;
}

std::vector<double> samples(const RowMetric& metric, const Table& table, const TableRow& row) {
  std::vector<double> out;
  std::map<unsigned, std::vector<double>> units;
  for (const Repetition& repetition : row.repetitions) {
    const RunFigures* run = table.find_run(repetition.run);
    const std::optional<double> value = run ? metric.sample(*run, row.plan) : std::nullopt;
    if (!value) continue;
    if (repetition.unit == 0)
      out.push_back(*value);
    else
      units[repetition.unit].push_back(*value);
  }
  for (const auto& [unused, values] : units)
    out.push_back(stats::geometric_mean(values, 0.95).value);
  return out;
}

std::string unit_text(const Metric& metric) { return metric.unit == "bytes" ? "MiB" : metric.unit; }

std::string value_text(const Metric& metric, std::optional<double> value) {
  if (metric.unit == "bytes" && value) return number_text(*value / (1 << 20), 0);
  if (metric.unit == "ms") return latency_text(value);
  if (metric.unit == "s") return number_text(value, 1);
  return iops_number(value);
}

}  // namespace lab::analysis
