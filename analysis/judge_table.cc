#include "analysis/judge_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace lab::analysis {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

using Figure = std::optional<double> Repetition::*;
using Side = Summary TableRow::*;

auto phases(const TableRow& row) { return std::tie(row.plan.write_phase, row.plan.read_phase); }

// The rows that are to be compared with each other, one list for each phase or pair of phases.
std::vector<std::vector<TableRow*>> groups(Table& table) {
  std::vector<std::vector<TableRow*>> out;
  for (TableRow& row : table.rows) {
    auto found = std::find_if(out.begin(), out.end(),
                              [&](const auto& group) { return phases(*group[0]) == phases(row); });
    if (found == out.end())
      out.push_back({&row});
    else
      found->push_back(&row);
  }
  return out;
}

stats::Blocks blocks_of(const std::vector<TableRow*>& rows, Figure figure, size_t baseline) {
  size_t blocks = 0;
  for (const TableRow* row : rows) blocks = std::max(blocks, row->repetitions_planned);
  stats::Blocks out;
  out.baseline = baseline;
  out.values.assign(blocks, std::vector<double>(rows.size(), kMissing));
  out.times = out.values;
  for (size_t cell = 0; cell < rows.size(); ++cell) {
    for (const Repetition& repetition : rows[cell]->repetitions) {
      if (repetition.block == 0 || repetition.block > blocks) continue;
      out.values[repetition.block - 1][cell] = (repetition.*figure).value_or(kMissing);
      out.times[repetition.block - 1][cell] = repetition.run;
    }
  }
  return out;
}

void judge_figure(Table& table, const std::vector<TableRow*>& rows, Figure figure, Side side,
                  const std::string& name, const stats::JudgeOptions& options) {
  const auto baseline =
      std::find_if(rows.begin(), rows.end(), [](const TableRow* row) { return row->baseline; });
  if (baseline == rows.end() || rows.size() < 2 || !((*baseline)->*side).planned) return;
  stats::Metric metric;
  metric.name = name;
  metric.baseline = static_cast<size_t>(baseline - rows.begin());
  for (const TableRow* row : rows) metric.cells.push_back(row->test);
  const stats::Blocks blocks = blocks_of(rows, figure, metric.baseline);
  for (const stats::Judgement& judgement :
       stats::judge(stats::analyse_blocks(blocks), metric, options)) {
    if (judgement.verdict == stats::Verdict::no_statement) continue;
    (rows[judgement.cell]->*side).verdict = stats::to_text(judgement.verdict);
    table.findings.push_back(judgement.text);
  }
}

}  // namespace

void judge_table(Table& table, const stats::JudgeOptions& options) {
  table.findings.clear();
  for (const std::vector<TableRow*>& rows : groups(table)) {
    judge_figure(table, rows, &Repetition::write_iops, &TableRow::write, "write IOPS", options);
    judge_figure(table, rows, &Repetition::read_iops, &TableRow::read, "read IOPS", options);
  }
}

}  // namespace lab::analysis
