#include "analysis/judge_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "runner/base/text.h"

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
    (rows[judgement.cell]->*side).judgement = judgement;
    table.findings.push_back(judgement.text);
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
  if (parts.empty())
    return few > 0 ? "Too few repetitions for a verdict: it takes 4" : std::string();
  std::string text =
      fmt::format("Against {}, {}", baseline ? baseline->test : "the baseline", join(parts, "; "));
  if (table.worst_mark() == results::Weight::invalid)
    text += "; but some figures are marked invalid, so nothing of this counts for them";
  return text;
}

}  // namespace

void judge_table(Table& table, const stats::JudgeOptions& options) {
  table.findings.clear();
  for (const std::vector<TableRow*>& rows : groups(table)) {
    judge_figure(table, rows, &Repetition::write_iops, &TableRow::write, "write IOPS", options);
    judge_figure(table, rows, &Repetition::read_iops, &TableRow::read, "read IOPS", options);
  }
  table.headline = headline(table);
}

}  // namespace lab::analysis
