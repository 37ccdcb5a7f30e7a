#include "analysis/compare.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/comparability.h"
#include "analysis/multiple.h"
#include "analysis/row_groups.h"
#include "analysis/verdict_list.h"
#include "analysis/welch.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

using results::Mark;
using results::Weight;
using Of = ComparisonMark::Of;

bool same_cell(const results::Cell& a, const results::Cell& b) {
  auto sorted = [](auto levels) {
    std::sort(levels.begin(), levels.end());
    return levels;
  };
  if (a.levels.empty() && b.levels.empty()) return a.name == b.name;
  return sorted(a.levels) == sorted(b.levels);
}

// The sections of a row's phases, and what fio does in them: what a row is, in any directory.
std::string load_of(const Table& table, const TableRow& row) {
  std::string out = row.plan.type;
  for (std::optional<unsigned> phase : {row.plan.write_phase, row.plan.read_phase})
    out += "/" + (phase && *phase < table.phases.size() ? join(table.phases[*phase].sections, "+")
                                                        : std::string());
  return out;
}

struct RowPair {
  const TableRow* before;
  const TableRow* after;
};

// Rows of the same load; where as many are left on both sides, in their order.
std::vector<RowPair> row_pairs(const Side& before, const std::string& cell_before,
                               const Side& after, const std::string& cell_after) {
  std::vector<const TableRow*> a = rows_of(before.table, cell_before);
  std::vector<const TableRow*> b = rows_of(after.table, cell_after);
  std::vector<RowPair> out;
  for (const TableRow*& row : a) {
    auto same = std::find_if(b.begin(), b.end(), [&](const TableRow* other) {
      return load_of(before.table, *row) == load_of(after.table, *other);
    });
    if (same == b.end()) continue;
    out.push_back({row, *same});
    b.erase(same);
    row = nullptr;
  }
  std::erase(a, nullptr);
  if (a.size() == b.size())
    for (size_t i = 0; i < a.size(); ++i) out.push_back({a[i], b[i]});
  return out;
}

std::string described(const std::vector<Incomparable>& found) {
  std::vector<std::string> texts;
  texts.reserve(found.size());
  for (const Incomparable& thing : found)
    texts.push_back(fmt::format("{} ({} against {})", thing.thing, thing.before, thing.after));
  return join(texts, ", ");
}

// Of the repetitions that count, in the phases of the row.
uint64_t io_errors(const Table& table, const TableRow& row) {
  uint64_t errors = 0;
  for (const RunFigures& run : table.runs) {
    if (!run.usable || run.record.cell != row.plan.cell) continue;
    std::set<unsigned> phases;
    for (std::optional<unsigned> phase : {row.plan.write_phase, row.plan.read_phase})
      if (phase && *phase < run.phases.size()) phases.insert(*phase);
    for (unsigned phase : phases) errors += run.phases[phase].errors;
  }
  return errors;
}

// Builds a Comparison step by step.
class Builder {
 public:
  Builder(const Side& before, const Side& after, const CompareOptions& options)
      : before_(before), after_(after), options_(options) {
    same_directory_ = before.directory == after.directory;
    out_.before = before.name;
    out_.after = after.name;
    out_.margin = options.margin;
  }

  Comparison build();

 private:
  void add_rows(const std::string& cell_before, const std::string& cell_after);
  void check(const RowPair& pair);
  void mark_as_a_whole();
  void add_mark(Of of, const TableMark& mark, ComparedRow* row);
  void take_marks(const Table& table, const std::vector<size_t>& marks, Of of, ComparedRow* row);
  void judge(const RowMetric& metric);
  void judge_directories();
  stats::Comparison paired(const RowMetric& metric, const ComparedRow& row,
                           stats::Model& model) const;
  void add_differences(const std::string& cell_before, const std::string& cell_after);

  const Side& before_;
  const Side& after_;
  const CompareOptions& options_;
  bool same_directory_ = false;
  bool same_runs_ = false;
  Comparison out_;
};

void Builder::add_mark(Of of, const TableMark& mark, ComparedRow* row) {
  auto same = [&](const ComparisonMark& m) {
    return m.mark.mark == mark.mark && m.mark.runs == mark.runs && (m.of == of || same_directory_);
  };
  auto found = std::find_if(out_.marks.begin(), out_.marks.end(), same);
  if (found == out_.marks.end()) found = out_.marks.insert(found, {of, mark});
  if (found->of != of) found->of = Of::both;
  if (!row) return;
  const auto index = static_cast<size_t>(found - out_.marks.begin());
  for (Of side : {Of::before, Of::after}) {
    if (of != side && of != Of::both) continue;
    std::vector<size_t>& owner = side == Of::before ? row->before_marks : row->after_marks;
    if (std::find(owner.begin(), owner.end(), index) == owner.end()) owner.push_back(index);
    std::sort(owner.begin(), owner.end());
  }
}

void Builder::take_marks(const Table& table, const std::vector<size_t>& marks, Of of,
                         ComparedRow* row) {
  for (size_t mark : marks) add_mark(of, table.marks[mark], row);
}

// Refuses, or marks what was allowed or asked for.
void Builder::check(const RowPair& pair) {
  std::vector<Incomparable> refused;
  for (const Incomparable& thing : incomparable(before_, *pair.before, after_, *pair.after)) {
    const auto& allowed = options_.allow_different;
    const bool is_allowed = std::find(allowed.begin(), allowed.end(), thing.thing) != allowed.end();
    if (!same_directory_ && !is_allowed) {
      refused.push_back(thing);
      continue;
    }
    const Mark mark =
        same_directory_
            ? Mark{Weight::note, "asked-load",
                   fmt::format("{} differs, {} against {}, as the matrix asked: the figures "
                               "are of different loads",
                               thing.thing, thing.before, thing.after)}
            : Mark{Weight::doubtful, "different-" + thing.thing,
                   fmt::format("{} differs, {} against {}: allowed by the caller, but the "
                               "figures are of different loads",
                               thing.thing, thing.before, thing.after)};
    add_mark(Of::both, {mark, {}}, nullptr);
  }
  if (refused.empty()) return;
  std::vector<std::string> names;
  names.reserve(refused.size());
  for (const Incomparable& thing : refused) names.push_back(thing.thing);
  throw usage_error(
      "{} and {} can't be compared: they differ in {}; measure both alike, or compare them all the "
      "same, marked, with --allow-different={}",
      before_.name, after_.name, described(refused), join(names, ","));
}

void Builder::add_rows(const std::string& cell_before, const std::string& cell_after) {
  const std::vector<RowPair> pairs = row_pairs(before_, cell_before, after_, cell_after);
  if (pairs.empty())
    throw usage_error("{} and {} can't be compared: no row of {} does the same I/O as one of {}",
                      before_.name, after_.name, cell_before, cell_after);
  const size_t rows = rows_of(before_.table, cell_before).size();
  const size_t others = rows_of(after_.table, cell_after).size();
  if (pairs.size() < rows || pairs.size() < others)
    add_mark(Of::both,
             {{Weight::note, "uncompared-rows",
               fmt::format("{} of {} rows before and {} of {} rows after have no counterpart and "
                           "are left out",
                           rows - pairs.size(), rows, others - pairs.size(), others)},
              {}},
             nullptr);
  for (const RowPair& pair : pairs) {
    check(pair);
    ComparedRow row;
    row.before = *pair.before;
    row.after = *pair.after;
    row.name = pair.after->test;
    row.after_io_errors = io_errors(after_.table, *pair.after);
    take_marks(before_.table, pair.before->marks, Of::before, &row);
    take_marks(after_.table, pair.after->marks, Of::after, &row);
    for (const RowMetric& metric : row_metrics()) {
      ComparedMetric compared;
      compared.metric = &metric;
      compared.before = metric.value(before_.table, *pair.before);
      compared.after = metric.value(after_.table, *pair.after);
      compared.after_samples = samples(metric, after_.table, *pair.after);
      if (compared.before || compared.after) row.metrics.push_back(std::move(compared));
    }
    out_.rows.push_back(std::move(row));
  }
}

void Builder::add_differences(const std::string& cell_before, const std::string& cell_after) {
  auto add = [](std::vector<Difference>& list, std::vector<Difference> found) {
    for (Difference& difference : found)
      if (std::find(list.begin(), list.end(), difference) == list.end())
        list.push_back(std::move(difference));
  };
  add(out_.asked, asked_differences(before_, cell_before, after_, cell_after));
  add(out_.besides, other_differences(before_, cell_before, after_, cell_after));
}

// Marks of the two measurements as such.
void Builder::mark_as_a_whole() {
  take_marks(before_.table, before_.table.general_marks, Of::before, nullptr);
  take_marks(after_.table, after_.table.general_marks, Of::after, nullptr);
  if (same_runs_) {
    add_mark(
        Of::both,
        {{Weight::note, "same-runs", "both sides are the same runs: any figure equals itself"}, {}},
        nullptr);
  } else if (!same_directory_) {
    add_mark(Of::both,
             {{Weight::doubtful, "not-interleaved",
               fmt::format("the sides were measured one after the other ({} and {}), not in the "
                           "same blocks: whatever drifted in between is in the differences",
                           before_.table.manifest.created, after_.table.manifest.created)},
              {}},
             nullptr);
  }
  if (before_.memory.osds != after_.memory.osds && !before_.memory.osds.empty() &&
      !after_.memory.osds.empty())
    add_mark(
        Of::both,
        {{Weight::doubtful, "other-osds",
          fmt::format("memory was sampled of {} before and of {} after: an OSD that is missing "
                      "may have died of it",
                      join(before_.memory.osds, ", "), join(after_.memory.osds, ", "))},
         {}},
        nullptr);
  if (!same_directory_ && before_.job.has_value() != after_.job.has_value())
    add_mark(Of::both,
             {{Weight::doubtful, "unknown-job",
               "one side keeps no job file, so nobody can tell whether both ran the same job"},
              {}},
             nullptr);
}

// In the blocks of their common measurement, with all of its cells: they tell the noise.
stats::Comparison Builder::paired(const RowMetric& metric, const ComparedRow& row,
                                  stats::Model& model) const {
  RowGroup group;
  size_t cell = 0;
  for (size_t i = 0; i < before_.table.rows.size(); ++i) {
    const results::Row& other = before_.table.rows[i].plan;
    if (other.write_phase != row.before.plan.write_phase ||
        other.read_phase != row.before.plan.read_phase)
      continue;
    if (other.row == row.before.plan.row) group.baseline = group.rows.size();
    if (other.row == row.after.plan.row) cell = group.rows.size();
    group.rows.push_back(i);
  }
  const stats::Blocks blocks =
      blocks_of(before_.table, group, [&](const TableRow& of, const Repetition& repetition) {
        const RunFigures* run = before_.table.find_run(repetition.run);
        return run ? metric.sample(*run, of.plan) : std::nullopt;
      });
  const stats::BlockAnalysis analysis = stats::analyse_blocks(blocks);
  model = analysis.model;
  for (const stats::Comparison& comparison : analysis.comparisons)
    if (comparison.cell == cell) return comparison;
  return stats::compare_unpaired({}, {});
}

// One metric over all rows: several comparisons of one figure are corrected together.
void Builder::judge(const RowMetric& metric) {
  stats::Metric names{metric.name, metric.direction, {out_.baseline}, 0};
  stats::BlockAnalysis analysis;
  analysis.model = stats::Model::blocks;
  std::vector<ComparedMetric*> compared;
  std::vector<double> p_values;
  for (ComparedRow& row : out_.rows) {
    for (ComparedMetric& one : row.metrics) {
      if (one.metric != &metric) continue;
      const bool in_blocks = out_.paired &&
                             row.before.plan.write_phase == row.after.plan.write_phase &&
                             row.before.plan.read_phase == row.after.plan.read_phase;
      stats::Comparison comparison =
          in_blocks ? paired(metric, row, analysis.model)
                    : stats::compare_unpaired(samples(metric, before_.table, row.before),
                                              samples(metric, after_.table, row.after));
      compared.push_back(&one);
      names.cells.push_back(row.name);
      comparison.cell = compared.size();
      p_values.push_back(comparison.p);
      analysis.comparisons.push_back(comparison);
    }
  }
  const std::vector<double> corrected = stats::holm(p_values);
  for (size_t i = 0; i < corrected.size(); ++i) analysis.comparisons[i].p_holm = corrected[i];
  stats::JudgeOptions options;
  options.margin = options_.margin;
  const std::vector<stats::Judgement> judgements = stats::judge(analysis, names, options);
  for (size_t i = 0; i < judgements.size(); ++i) {
    compared[i]->judgement = judgements[i];
    out_.findings.push_back(judgements[i].text);
  }
}

// OSD against OSD. Cells of one directory shared their OSDs.
void Builder::judge_directories() {
  if (same_directory_) return;
  for (const DirectoryMetric& metric : directory_metrics()) {
    const std::vector<double>& before = before_.memory.*metric.samples;
    const std::vector<double>& after = after_.memory.*metric.samples;
    if (before.empty() && after.empty()) continue;
    ComparedMetric one;
    one.metric = &metric;
    if (!before.empty()) one.before = stats::geometric_mean(before, 0.95).value;
    if (!after.empty()) one.after = stats::geometric_mean(after, 0.95).value;
    one.after_samples = after;
    stats::BlockAnalysis analysis;
    analysis.model = stats::Model::blocks;
    analysis.comparisons = {stats::compare_unpaired(before, after)};
    analysis.comparisons[0].cell = 1;
    stats::JudgeOptions options;
    options.margin = options_.margin;
    one.judgement = stats::judge(
        analysis, {metric.name, metric.direction, {before_.name, after_.name}, 0}, options)[0];
    out_.findings.push_back(one.judgement.text);
    out_.of_directories.push_back(std::move(one));
  }
}

Comparison Builder::build() {
  const auto pairs = cell_pairs(before_, after_);
  same_runs_ = same_directory_ && !before_.single_run && !after_.single_run &&
               std::all_of(pairs.begin(), pairs.end(),
                           [](const auto& pair) { return pair.first == pair.second; });
  out_.paired = same_directory_ && !same_runs_ && !before_.single_run && !after_.single_run;
  for (const auto& [cell_before, cell_after] : pairs) {
    add_rows(cell_before, cell_after);
    add_differences(cell_before, cell_after);
  }
  const bool other_cell = pairs.size() == 1 && pairs[0].first != pairs[0].second;
  out_.baseline = other_cell ? out_.rows[0].before.test : std::string("before");
  mark_as_a_whole();
  for (const RowMetric& metric : row_metrics()) judge(metric);
  judge_directories();
  if (same_runs_) {
    out_.headline = "Both sides are the same runs: there is nothing to decide";
    out_.findings.clear();
    return std::move(out_);
  }
  VerdictList verdicts;
  for (const ComparedRow& row : out_.rows)
    for (const ComparedMetric& one : row.metrics)
      verdicts.add(one.judgement, one.metric->name, row.name);
  for (const ComparedMetric& one : out_.of_directories)
    verdicts.add(one.judgement, one.metric->name, after_.name);
  out_.headline = verdicts.sentence(out_.baseline);
  return std::move(out_);
}

}  // namespace

bool ComparedMetric::regression() const {
  return judgement.verdict == stats::Verdict::different && !judgement.better &&
         judgement.beyond_margin;
}

const char* to_text(ComparisonMark::Of of) {
  switch (of) {
    case Of::before:
      return "before";
    case Of::after:
      return "after";
    case Of::both:
      return "both";
  }
  return "both";
}

bool Comparison::invalid() const {
  return std::any_of(marks.begin(), marks.end(),
                     [](const ComparisonMark& m) { return m.mark.mark.weight == Weight::invalid; });
}

bool Comparison::regression() const {
  auto is_regression = [](const ComparedMetric& one) { return one.regression(); };
  if (std::any_of(of_directories.begin(), of_directories.end(), is_regression)) return true;
  return std::any_of(rows.begin(), rows.end(), [&](const ComparedRow& row) {
    return std::any_of(row.metrics.begin(), row.metrics.end(), is_regression);
  });
}

std::vector<std::pair<std::string, std::string>> cell_pairs(const Side& before, const Side& after) {
  if (!before.cell.empty() && !after.cell.empty()) return {{before.cell, after.cell}};
  std::vector<std::pair<std::string, std::string>> out;
  for (const results::Cell& a : before.plan.cells) {
    if (!before.cell.empty() && a.name != before.cell) continue;
    for (const results::Cell& b : after.plan.cells) {
      if (!after.cell.empty() && b.name != after.cell) continue;
      if (!same_cell(a, b)) continue;
      out.emplace_back(a.name, b.name);
      break;
    }
  }
  // A chosen cell, or a directory without a matrix, against one that has no choice.
  auto only = [](const Side& side) {
    return !side.cell.empty()            ? side.cell
           : side.plan.cells.size() == 1 ? side.plan.cells[0].name
                                         : std::string();
  };
  if (out.empty() && !only(before).empty() && !only(after).empty())
    out.emplace_back(only(before), only(after));
  if (out.empty())
    throw usage_error(
        "{} and {} have no cell in common; name one of each as DIR:CELL ({} against {})",
        before.name, after.name, cell_names(before.plan), cell_names(after.plan));
  return out;
}

Comparison compare(const Side& before, const Side& after, const CompareOptions& options) {
  return Builder(before, after, options).build();
}

}  // namespace lab::analysis
