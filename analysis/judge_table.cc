#include "analysis/judge_table.h"

#include <algorithm>

#include "analysis/row_groups.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

void judge_figure(Table& table, const RowGroup& group, const TableFigure& figure,
                  const stats::JudgeOptions& options) {
  const TableRow& baseline = table.rows[group.rows[group.baseline]];
  if (!(baseline.*figure.summary).planned) return;
  stats::Metric metric;
  metric.name = figure.name;
  metric.baseline = group.baseline;
  for (size_t row : group.rows) metric.cells.push_back(table.rows[row].test);
  for (const stats::Judgement& judgement :
       stats::judge(stats::analyse_blocks(blocks_of(table, group, figure)), metric, options)) {
    TableRow& row = table.rows[group.rows[judgement.cell]];
    if (row.control) {
      table.controls.push_back(stats::summarise_control(judgement, metric));
      table.findings.push_back(table.controls.back().text);
    }
    if (judgement.verdict == stats::Verdict::no_statement) continue;
    (row.*figure.summary).judgement = judgement;
    if (!row.control) table.findings.push_back(judgement.text);
  }
}

// What is said of one direction of a row in the headline: "write IOPS of writeback (+32.2%)".
std::string mention(const TableRow& row, const char* figure, const stats::Judgement& judgement) {
  const bool times = judgement.ratio >= 2 || judgement.ratio <= 0.5;
  return fmt::format("{} of {} ({})", figure, row.test,
                     times ? fmt::format("×{:.2f}", judgement.ratio)
                           : fmt::format("{:+.1f}%", (judgement.ratio - 1) * 100));
}

// The names of a list: all of a short one, else the first few and how many more.
std::string names(const std::vector<std::string>& list) {
  constexpr size_t kNamed = 6;
  if (list.size() <= kNamed) return join(list, ", ");
  return fmt::format("{} and {} more", join({list.begin(), list.begin() + kNamed}, ", "),
                     list.size() - kNamed);
}

std::string headline(const Table& table) {
  std::vector<std::string> better, worse, small, equal, open;
  size_t few = 0;
  auto sort_in = [&](const TableRow& row, const Summary& summary, const char* figure) {
    if (!summary.judgement) return;
    const stats::Judgement& judgement = *summary.judgement;
    const std::string text = mention(row, figure, judgement);
    switch (judgement.verdict) {
      case stats::Verdict::different:
        (judgement.better ? better : worse).push_back(text);
        break;
      case stats::Verdict::below_margin:
        small.push_back(text);
        break;
      case stats::Verdict::equivalent:
        equal.push_back(text);
        break;
      case stats::Verdict::inconclusive:
        open.push_back(text);
        break;
      default:
        ++few;
    }
  };
  const TableRow* baseline = nullptr;
  for (const TableRow& row : table.rows) {
    if (row.baseline && !baseline) baseline = &row;
    if (row.control) continue;
    sort_in(row, row.write, "write IOPS");
    sort_in(row, row.read, "read IOPS");
  }
  std::vector<std::string> parts;
  auto part = [&](const char* what, const std::vector<std::string>& list) {
    if (!list.empty()) parts.push_back(fmt::format("{}: {}", what, names(list)));
  };
  part("better", better);
  part("worse", worse);
  part("different, but below the margin", small);
  part("equivalent", equal);
  part("undecided", open);
  if (parts.empty() && !table.controls.empty()) return table.controls.front().text;
  if (parts.empty())
    return few > 0 ? "Too few repetitions for a verdict: it takes 4" : std::string();
  std::string text =
      fmt::format("Against {}, {}", baseline ? baseline->test : "the baseline", join(parts, "; "));
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
    judge_figure(table, group, kWriteIops, options);
    judge_figure(table, group, kReadIops, options);
  }
  table.headline = headline(table);
}

}  // namespace lab::analysis
