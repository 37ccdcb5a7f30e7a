#include "analysis/plausibility.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/io_direction.h"

namespace lab::analysis {
namespace {

using results::Weight;

// The row of the same phases at the factor's baseline; null if there is none, or if it is the row.
const TableRow* row_at_baseline(const TableRow& row, const std::string& factor,
                                const std::string& baseline, const std::vector<TableRow>& rows) {
  results::Levels wanted = row.levels;
  for (auto& [name, level] : wanted) {
    if (name != factor) continue;
    if (level == baseline) return nullptr;
    level = baseline;
  }
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const TableRow& other) {
    return !other.control && other.levels == wanted &&
           other.plan.write_phase == row.plan.write_phase &&
           other.plan.read_phase == row.plan.read_phase;
  });
  return found == rows.end() || &*found == &row ? nullptr : &*found;
}

}  // namespace

void mark_implausible(const results::Plan& plan, std::vector<TableRow>& rows, MarkList& marks) {
  if (plan.cells.empty()) return;
  for (const results::Factor& factor : plan.factors) {
    if (!factor.plausible_ratio) continue;
    const std::string baseline = results::level_of(plan.cells[0].levels, factor.name);
    for (TableRow& row : rows) {
      const TableRow* other = row_at_baseline(row, factor.name, baseline, rows);
      if (!other) continue;
      for (const IoDirection* direction : {&kWrite, &kRead}) {
        const std::optional<double> here = (row.*direction->summary).iops;
        const std::optional<double> there = (other->*direction->summary).iops;
        if (!here || !there || *here <= 0 || *there <= 0) continue;
        const double ratio = *here / *there;
        if (ratio <= *factor.plausible_ratio && 1 / ratio <= *factor.plausible_ratio) continue;
        marks.add(row.marks,
                  {Weight::doubtful, "implausible-ratio",
                   fmt::format("{} of {} are {:.2g} times those of {} ({:.0f} and {:.0f}), on an "
                               "axis ({}) that is not known to make more than {:g} times: look for "
                               "another reason first",
                               direction->iops, row.test, ratio, other->test, *here, *there,
                               factor.name, *factor.plausible_ratio)});
      }
    }
  }
}

}  // namespace lab::analysis
