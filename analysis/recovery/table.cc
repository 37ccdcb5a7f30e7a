#include "analysis/recovery/table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/blocks.h"
#include "analysis/units.h"
#include "analysis/welch.h"
#include "runner/base/error.h"

namespace lab::analysis {
namespace {

constexpr size_t kOwnUnit = size_t{1} << 32;

const RecoveryClient* client_in(const RecoveryRun& run, const std::string& phase) {
  const auto found = run.clients.find(phase);
  return found == run.clients.end() ? nullptr : &found->second;
}

auto iops_in(const std::string& phase, Histogram RecoveryClient::*clat) {
  return [phase, clat](const RecoveryRun& run) -> std::optional<double> {
    const RecoveryClient* client = client_in(run, phase);
    return client ? client->iops(client->*clat) : std::nullopt;
  };
}

auto p99_in(const std::string& phase, Histogram RecoveryClient::*clat) {
  return [phase, clat](const RecoveryRun& run) -> std::optional<double> {
    const RecoveryClient* client = client_in(run, phase);
    const auto ns = client ? (client->*clat).percentile_ns(99) : std::nullopt;
    if (!ns) return {};
    return static_cast<double>(*ns) / 1e9;
  };
}

auto memory(std::optional<double> RecoveryMemory::*figure) {
  return [figure](const RecoveryRun& run) { return run.mean(figure); };
}

RecoverySummary summarise(const std::vector<double>& values) {
  RecoverySummary summary;
  if (values.empty()) return summary;
  summary.value = stats::geometric_mean(values, 0.95).value;
  if (values.size() < 2) return summary;
  double farthest = 0;
  for (const double value : values)
    farthest = std::max(farthest, std::abs(value / *summary.value - 1));
  summary.spread_percent = 100 * farthest;
  return summary;
}

std::vector<double> values_of(const RecoveryRow& row, const RecoveryMetric& metric) {
  std::vector<double> values;
  for (const RecoveryRepetition& repetition : row.repetitions)
    if (const auto value = metric.sample(repetition.run); value && *value > 0)
      values.push_back(*value);
  return values;
}

stats::Blocks blocks_of(const RecoveryTable& table, const RecoveryMetric& metric, size_t baseline) {
  std::vector<stats::UnitRun> units;
  for (size_t cell = 0; cell < table.rows.size(); ++cell)
    for (const RecoveryRepetition& repetition : table.rows[cell].repetitions)
      units.push_back(
          {repetition.block, cell,
           repetition.unit > 0 ? repetition.unit : kOwnUnit + repetition.index,
           static_cast<double>(repetition.index),
           metric.sample(repetition.run).value_or(std::numeric_limits<double>::quiet_NaN())});
  return stats::group_units(units, table.rows.size(), baseline);
}

void judge(RecoveryTable& table) {
  const auto found = std::find_if(table.rows.begin(), table.rows.end(),
                                  [](const RecoveryRow& row) { return row.baseline; });
  if (found == table.rows.end() || table.rows.size() < 2) return;
  const auto baseline = static_cast<size_t>(found - table.rows.begin());
  for (const RecoveryMetric& metric : recovery_metrics()) {
    const std::optional<double> base = table.rows[baseline].figures[metric.key].value;
    if (!base) continue;
    for (RecoveryRow& row : table.rows)
      if (auto& summary = row.figures[metric.key]; summary.value && !row.baseline)
        summary.difference = *summary.value - *base;
    stats::Metric judged{metric.name, metric.direction, {}, baseline};
    for (const RecoveryRow& row : table.rows) judged.cells.push_back(row.cell.test);
    for (stats::Judgement& judgement :
         stats::judge(stats::analyse_blocks(blocks_of(table, metric, baseline)), judged)) {
      if (judgement.verdict == stats::Verdict::no_statement) continue;
      table.findings.push_back(judgement.text);
      table.rows[judgement.cell].figures[metric.key].judgement = std::move(judgement);
    }
  }
}

RecoveryRow row_of(const results::Cell& cell, const results::Plan& plan) {
  RecoveryRow row;
  row.cell = cell;
  row.baseline = &cell == &plan.cells.front();
  row.planned = plan.repetitions(cell.name);
  return row;
}

// Marks of a row's runs, by their places in the table of the job's own figures.
void collect_marks(RecoveryTable& table, RecoveryRow& row, const std::vector<unsigned>& runs) {
  for (size_t i = 0; i < table.table.marks.size(); ++i) {
    const std::vector<unsigned>& marked = table.table.marks[i].runs;
    const bool own = std::any_of(runs.begin(), runs.end(), [&](unsigned run) {
      return std::find(marked.begin(), marked.end(), run) != marked.end();
    });
    if (own) row.marks.push_back(i);
  }
}

}  // namespace

const std::vector<RecoveryMetric>& recovery_metrics() {
  using stats::Direction;
  static const std::vector<RecoveryMetric> metrics = {
      {"to_clean_s", "time to clean", Direction::lower_is_better,
       [](const RecoveryRun& run) { return run.to_clean_s; }},
      {"rss_normal_bytes", "memory of an OSD in normal use", Direction::lower_is_better,
       memory(&RecoveryMemory::baseline)},
      {"rss_peak_bytes", "peak memory of an OSD in recovery", Direction::lower_is_better,
       memory(&RecoveryMemory::peak)},
      {"rss_after_bytes", "memory of an OSD after the cool-down", Direction::lower_is_better,
       memory(&RecoveryMemory::cooled)},
      {"w_iops_recovering", "write IOPS in recovery", Direction::higher_is_better,
       iops_in("recovering", &RecoveryClient::write)},
      {"r_iops_recovering", "read IOPS in recovery", Direction::higher_is_better,
       iops_in("recovering", &RecoveryClient::read)},
      {"w_p99_s_recovering", "write p99 in recovery", Direction::lower_is_better,
       p99_in("recovering", &RecoveryClient::write)},
      {"r_p99_s_recovering", "read p99 in recovery", Direction::lower_is_better,
       p99_in("recovering", &RecoveryClient::read)}};
  return metrics;
}

RecoveryTable load_recovery_table(const results::ResultReader& reader) {
  if (reader.manifest().procedure != "recovery")
    throw usage_error("{}: these are no recoveries, but runs of a job; lab recovery makes some",
                      reader.directory().string());
  RecoveryTable table;
  table.table = load_table(reader);
  for (const results::Cell& cell : reader.plan().cells) {
    RecoveryRow row = row_of(cell, reader.plan());
    std::vector<unsigned> runs;
    for (const results::FinishedRun& run : reader.runs()) {
      if (run.record.cell != cell.name) continue;
      runs.push_back(run.record.index);
      const RunFigures* figures = table.table.find_run(run.record.index);
      std::optional<results::RecoveryRecord> record;
      if (run.record.ok) record = results::load_recovery(run.folder);
      if (!record || !figures) {
        ++row.failed;
        continue;
      }
      row.proof = std::max(row.proof, figures->proof);
      row.repetitions.push_back({run.record.index, run.record.block, run.record.unit,
                                 load_recovery_run(run.folder, std::move(*record))});
      const std::vector<std::string>& warnings = row.repetitions.back().run.warnings;
      table.warnings.insert(table.warnings.end(), warnings.begin(), warnings.end());
    }
    for (const RecoveryMetric& metric : recovery_metrics())
      row.figures[metric.key] = summarise(values_of(row, metric));
    collect_marks(table, row, runs);
    table.rows.push_back(std::move(row));
  }
  judge(table);
  return table;
}

}  // namespace lab::analysis
