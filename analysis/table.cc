#include "analysis/table.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/io_direction.h"
#include "analysis/judge_table.h"
#include "analysis/mark_list.h"
#include "analysis/plausibility.h"
#include "analysis/welch.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

using results::Mark;
using results::Weight;

std::optional<double> mean_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  return stats::geometric_mean(values, 0.95).value;
}

std::optional<double> largest_deviation_percent(const std::vector<double>& values, double mean) {
  if (values.size() < 2) return {};
  double largest = 0;
  for (double value : values) largest = std::max(largest, std::abs(value / mean - 1) * 100);
  return largest;
}

void summarise(const std::vector<const RunFigures*>& runs, const IoDirection& direction,
               const Histogram& clat, TableRow& row) {
  Summary& summary = row.*direction.summary;
  summary.planned = (row.plan.*direction.phase).has_value();
  std::vector<double> counted;
  std::vector<double> raw;
  double mean_ms = 0;
  for (const RunFigures* run : runs) {
    const DirectionFigures* f = figures_of(*run, row.plan, direction);
    if (!f) continue;
    counted.push_back(f->counted_iops);
    raw.push_back(f->iops);
    mean_ms += f->clat_mean_ns / 1e6;
  }
  summary.iops = mean_of(counted);
  summary.raw_iops = mean_of(raw);
  if (summary.iops) summary.spread_percent = largest_deviation_percent(counted, *summary.iops);
  if (!counted.empty()) summary.mean_ms = mean_ms / static_cast<double>(counted.size());
  summary.clat = clat;
  summary.p99_ms = summary.clat.percentile_ms(99);
}

// Does the run have all that the row is made of?
bool is_complete(const RunFigures& run, const results::Row& row) {
  return run.usable && (row.write_phase || row.read_phase) &&
         (!row.write_phase || figures_of(run, row, kWrite)) &&
         (!row.read_phase || figures_of(run, row, kRead));
}

Repetition repetition(const RunFigures& run, const results::Plan& plan, const results::Row& row) {
  Repetition r;
  r.run = run.record.index;
  r.unit = run.record.unit;
  if (const results::PlannedRun* planned = plan.find_run(r.run)) {
    r.block = planned->block;
    r.position = planned->position;
  }
  if (const DirectionFigures* f = figures_of(run, row, kWrite)) {
    r.write_iops = f->counted_iops;
    r.raw_write_iops = f->iops;
    r.flush_s = run.phases[*row.write_phase].flush_s;
  }
  if (const DirectionFigures* f = figures_of(run, row, kRead)) r.read_iops = f->iops;
  return r;
}

void mark_run(const RunFigures& run, TableRow& row, MarkList& marks) {
  for (const Mark& mark : run.marks) marks.add(row.marks, mark, run.record.index);
  std::vector<unsigned> phases;
  for (std::optional<unsigned> phase : {row.plan.write_phase, row.plan.read_phase})
    if (phase && *phase < run.phases.size() && (phases.empty() || phases[0] != *phase))
      phases.push_back(*phase);
  for (unsigned phase : phases)
    for (const Mark& mark : run.phases[phase].marks) marks.add(row.marks, mark, run.record.index);
}

void mark_repetitions(const results::Plan& plan, TableRow& row, MarkList& marks) {
  size_t done = row.repetitions.size();
  if (row.pending()) {
    marks.add(row.marks, {Weight::note, "pending", "not all repetitions are done yet"});
  } else if (done == 0) {
    marks.add(row.marks, {Weight::invalid, "no-figures", "no repetition gave a figure"});
  }
  if (row.repetitions_planned == 1) {
    marks.add(row.marks, {Weight::note, "single-repetition",
                          "one repetition only: nothing tells a difference from chance; repeat "
                          "at least 4 times"});
    return;
  }
  bool unmirrored = false;
  for (const Repetition& r : row.repetitions) {
    const results::PlannedRun* planned = plan.find_run(r.run);
    if (planned && !planned->mirrored) {
      unmirrored = true;
      marks.add(row.marks,
                {Weight::note, "unmirrored-block",
                 fmt::format("block {} has no other one in the opposite order: a drift of the "
                             "cluster weighs on it; repeat an even number of times",
                             planned->block)},
                r.run);
    }
  }
  if (!unmirrored && row.repetitions_planned % 2 != 0)
    marks.add(row.marks, {Weight::note, "odd-repeats",
                          "an odd number of repetitions: one has no mirror in the opposite order "
                          "to cancel drift; repeat an even number of times"});
}

// A resumed measurement may have found another cluster than it began on.
void mark_clusters(const std::vector<RunFigures>& runs, std::vector<size_t>& general,
                   MarkList& marks) {
  std::vector<std::string> clusters;
  for (const RunFigures& run : runs) {
    if (!run.usable || run.record.fsid.empty()) continue;
    if (std::find(clusters.begin(), clusters.end(), run.record.fsid) == clusters.end())
      clusters.push_back(run.record.fsid);
  }
  if (clusters.size() > 1)
    marks.add(general,
              {Weight::doubtful, "several-clusters",
               fmt::format("the runs were made on {} clusters (fsid {}), as when a sandbox "
                           "was started anew for --resume: what differs between them is "
                           "in the figures, and the conditions are those of the last",
                           clusters.size(), join(clusters, ", "))});
}

// The baseline's row of the same phases. Its load may differ: iodepth can be the factor.
const TableRow* baseline_of(const TableRow& row, const std::vector<TableRow>& rows) {
  auto same_phases = [&](const TableRow& other) {
    const results::Row& a = row.plan;
    const results::Row& b = other.plan;
    return other.baseline && a.write_phase == b.write_phase && a.read_phase == b.read_phase;
  };
  auto found = std::find_if(rows.begin(), rows.end(), same_phases);
  return found == rows.end() ? nullptr : &*found;
}

void compare(const Summary& baseline, Summary& summary) {
  if (baseline.iops && summary.iops)
    summary.difference_percent = (*summary.iops / *baseline.iops - 1) * 100;
}

TableRow build_row(const results::Plan& plan, const results::Row& planned,
                   const std::vector<RunFigures>& runs, const Histogram& write_clat,
                   const Histogram& read_clat, MarkList& marks) {
  TableRow row;
  row.plan = planned;
  const results::Cell* cell = plan.find_cell(planned.cell);
  row.test = cell ? cell->test : planned.cell;
  if (cell) row.levels = cell->levels;
  row.baseline = cell && cell == plan.cells.data();
  row.control = cell && !cell->control_of.empty();
  row.repetitions_planned = plan.repetitions(planned.cell);

  std::vector<const RunFigures*> usable;
  double flush_s = 0;
  for (const RunFigures& run : runs) {
    if (run.record.cell != planned.cell) continue;
    mark_run(run, row, marks);
    row.proof = std::max(row.proof, run.proof);
    if (!is_complete(run, planned)) {
      ++row.repetitions_failed;
      continue;
    }
    usable.push_back(&run);
    row.repetitions.push_back(repetition(run, plan, planned));
    flush_s += row.repetitions.back().flush_s;
  }
  if (!usable.empty()) row.flush_s = flush_s / static_cast<double>(usable.size());
  summarise(usable, kWrite, write_clat, row);
  summarise(usable, kRead, read_clat, row);
  mark_repetitions(plan, row, marks);
  return row;
}

}  // namespace

std::optional<Weight> Table::worst_mark() const {
  std::optional<Weight> worst;
  for (const TableMark& m : marks)
    if (!worst || m.mark.weight > *worst) worst = m.mark.weight;
  return worst;
}

const RunFigures* Table::find_run(unsigned index) const {
  const auto found = std::lower_bound(
      runs.begin(), runs.end(), index,
      [](const RunFigures& run, unsigned wanted) { return run.record.index < wanted; });
  return found == runs.end() || found->record.index != index ? nullptr : &*found;
}

void TableBuilder::Sum::add(const DirectionFigures& figures) {
  clat.merge(figures.clat);
  all_have_bins &= !figures.clat.empty();
}

const Histogram& TableBuilder::Sum::result() const {
  static const Histogram kNone;
  return all_have_bins ? clat : kNone;
}

TableBuilder::TableBuilder(std::vector<results::Row> rows)
    : rows_(std::move(rows)), sums_(rows_.size()) {}

void TableBuilder::add(RunFigures run) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    const results::Row& row = rows_[i];
    if (row.cell != run.record.cell || !is_complete(run, row)) continue;
    if (const DirectionFigures* f = figures_of(run, row, kWrite)) sums_[i].write.add(*f);
    if (const DirectionFigures* f = figures_of(run, row, kRead)) sums_[i].read.add(*f);
  }
  for (PhaseFigures& phase : run.phases) {
    if (phase.write) phase.write->clat = {};
    if (phase.read) phase.read->clat = {};
  }
  const auto after = std::upper_bound(
      runs_.begin(), runs_.end(), run,
      [](const RunFigures& a, const RunFigures& b) { return a.record.index < b.record.index; });
  runs_.insert(after, std::move(run));
}

Table TableBuilder::build(const results::Manifest& manifest, const results::Plan& plan,
                          const std::vector<std::string>& damaged) const& {
  return build(manifest, plan, damaged, runs_);
}

Table TableBuilder::build(const results::Manifest& manifest, const results::Plan& plan,
                          const std::vector<std::string>& damaged) && {
  return build(manifest, plan, damaged, std::move(runs_));
}

Table TableBuilder::build(const results::Manifest& manifest, const results::Plan& plan,
                          const std::vector<std::string>& damaged,
                          std::vector<RunFigures> runs) const {
  Table table;
  table.manifest = manifest;
  table.phases = plan.phases;
  for (const results::Cell& cell : plan.cells)
    for (const auto& [factor, unused] : cell.levels)
      if (std::find(table.factors.begin(), table.factors.end(), factor) == table.factors.end())
        table.factors.push_back(factor);

  MarkList marks;
  if (manifest.allow_invalid)
    marks.add(table.general_marks,
              {Weight::invalid, "allowed-invalid",
               "measured although known to be invalid: " + manifest.invalid_reason});
  for (const std::string& reason : damaged)
    marks.add(table.general_marks,
              {Weight::doubtful, "damaged-run", "a run is left out: " + reason});
  mark_clusters(runs, table.general_marks, marks);
  for (size_t i = 0; i < rows_.size(); ++i)
    table.rows.push_back(
        build_row(plan, rows_[i], runs, sums_[i].write.result(), sums_[i].read.result(), marks));
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const TableRow& a, const TableRow& b) { return a.plan.row < b.plan.row; });
  mark_implausible(plan, table.rows, marks);
  for (TableRow& row : table.rows) {
    const TableRow* baseline = row.baseline ? nullptr : baseline_of(row, table.rows);
    if (!baseline) continue;
    compare(baseline->write, row.write);
    compare(baseline->read, row.read);
  }
  table.marks = marks.take();
  table.runs = std::move(runs);
  judge_table(table);
  for (const stats::ControlSummary& control : table.controls) {
    if (!control.false_alarm) continue;
    table.general_marks.push_back(table.marks.size());
    table.marks.push_back({{Weight::doubtful, "control-different", control.text}, {}});
  }
  return table;
}

Table build_table(const results::Manifest& manifest, const results::Plan& plan,
                  std::vector<RunFigures> runs, const std::vector<std::string>& damaged) {
  TableBuilder builder(plan.rows);
  for (RunFigures& run : runs) builder.add(std::move(run));
  return std::move(builder).build(manifest, plan, damaged);
}

Table load_table(const results::ResultReader& reader) {
  TableBuilder builder(reader.plan().rows);
  std::vector<const results::FinishedRun*> runs;
  for (const results::FinishedRun& run : reader.runs()) runs.push_back(&run);
  load_measurements(runs, reader.plan(), [&](RunFigures run) { builder.add(std::move(run)); });
  return std::move(builder).build(reader.manifest(), reader.plan(), reader.damaged());
}

}  // namespace lab::analysis
