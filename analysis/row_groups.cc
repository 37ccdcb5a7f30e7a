#include "analysis/row_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "analysis/units.h"

namespace lab::analysis {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

constexpr size_t kOwnUnit = size_t{1} << 32;

auto phases(const TableRow& row) { return std::tie(row.plan.write_phase, row.plan.read_phase); }

}  // namespace

std::vector<RowGroup> row_groups(const Table& table) {
  std::vector<RowGroup> out;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    auto found = std::find_if(out.begin(), out.end(), [&](const RowGroup& group) {
      return phases(table.rows[group.rows[0]]) == phases(table.rows[row]);
    });
    if (found == out.end())
      out.push_back({{row}, 0});
    else
      found->rows.push_back(row);
  }
  std::erase_if(out, [&](RowGroup& group) {
    const auto baseline = std::find_if(group.rows.begin(), group.rows.end(),
                                       [&](size_t row) { return table.rows[row].baseline; });
    group.baseline = static_cast<size_t>(baseline - group.rows.begin());
    return baseline == group.rows.end() || group.rows.size() < 2;
  });
  return out;
}

stats::Blocks blocks_of(const Table& table, const RowGroup& group, const RepetitionValue& value) {
  size_t blocks = 0;
  for (size_t row : group.rows) blocks = std::max(blocks, table.rows[row].repetitions_planned);
  stats::Blocks out;
  out.baseline = group.baseline;
  out.values.assign(blocks, std::vector<double>(group.rows.size(), kMissing));
  out.times = out.values;
  std::vector<stats::UnitRun> units;
  bool shared = false;
  for (size_t cell = 0; cell < group.rows.size(); ++cell) {
    const TableRow& row = table.rows[group.rows[cell]];
    for (const Repetition& repetition : row.repetitions) {
      if (repetition.block == 0 || repetition.block > blocks) continue;
      const double figure = value(row, repetition).value_or(kMissing);
      out.values[repetition.block - 1][cell] = figure;
      out.times[repetition.block - 1][cell] = repetition.run;
      shared |= repetition.unit > 0;
      // A run that shares nothing is a unit of its own, numbered beyond all restarts.
      const size_t unit = repetition.unit > 0 ? repetition.unit : kOwnUnit + repetition.run;
      units.push_back(
          {repetition.block - 1, cell, unit, static_cast<double>(repetition.run), figure});
    }
  }
  return shared ? stats::group_units(units, group.rows.size(), group.baseline) : out;
}

stats::Blocks blocks_of(const Table& table, const RowGroup& group, const IoDirection& direction) {
  return blocks_of(table, group, [&direction](const TableRow&, const Repetition& repetition) {
    return repetition.*direction.value;
  });
}

}  // namespace lab::analysis
