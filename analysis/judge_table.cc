#include "analysis/judge_table.h"

#include <algorithm>

#include "analysis/row_groups.h"
#include "analysis/verdict_list.h"

namespace lab::analysis {
namespace {

void judge_figure(Table& table, const RowGroup& group, const IoDirection& direction,
                  const stats::JudgeOptions& options) {
  const TableRow& baseline = table.rows[group.rows[group.baseline]];
  if (!(baseline.*direction.summary).planned) return;
  stats::Metric metric;
  metric.name = direction.iops;
  metric.baseline = group.baseline;
  for (size_t row : group.rows) metric.cells.push_back(table.rows[row].test);
  for (const stats::Judgement& judgement :
       stats::judge(stats::analyse_blocks(blocks_of(table, group, direction)), metric, options)) {
    TableRow& row = table.rows[group.rows[judgement.cell]];
    if (row.control) {
      table.controls.push_back(stats::summarise_control(judgement, metric));
      table.findings.push_back(table.controls.back().text);
    }
    if (judgement.verdict == stats::Verdict::no_statement) continue;
    (row.*direction.summary).judgement = judgement;
    if (!row.control) table.findings.push_back(judgement.text);
  }
}

std::string headline(const Table& table) {
  VerdictList verdicts;
  const TableRow* baseline = nullptr;
  for (const TableRow& row : table.rows) {
    if (row.baseline && !baseline) baseline = &row;
    if (row.control) continue;
    if (row.write.judgement) verdicts.add(*row.write.judgement, "write IOPS", row.test);
    if (row.read.judgement) verdicts.add(*row.read.judgement, "read IOPS", row.test);
  }
  if (verdicts.empty() && !table.controls.empty()) return table.controls.front().text;
  std::string text = verdicts.sentence(baseline ? baseline->test : "the baseline");
  if (verdicts.empty()) return text;
  if (std::any_of(table.controls.begin(), table.controls.end(),
                  [](const stats::ControlSummary& control) { return control.false_alarm; }))
    text += "; but the control, the same setting under two names, was called different, too";
  if (table.worst_mark() == results::Weight::invalid)
    text += "; but some figures are marked invalid, so nothing of this counts for them";
  return text;
}

}  // namespace

void judge_table(Table& table, const stats::JudgeOptions& options) {
  table.findings.clear();
  table.controls.clear();
  for (const RowGroup& group : row_groups(table)) {
    judge_figure(table, group, kWrite, options);
    judge_figure(table, group, kRead, options);
  }
  table.headline = headline(table);
}

}  // namespace lab::analysis
