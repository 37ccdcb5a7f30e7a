#include "analysis/units.h"

#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace lab::stats {

namespace {

struct Unit {
  size_t first_block = std::numeric_limits<size_t>::max();
  double sum_log = 0;
  double usable = 0;
  double sum_time = 0;
  double runs = 0;
};

}  // namespace

Blocks group_units(const std::vector<UnitRun>& runs, size_t cells, size_t baseline) {
  std::map<std::pair<size_t, size_t>, Unit> units;  // by cell and number
  for (const UnitRun& run : runs) {
    if (run.cell >= cells) continue;
    Unit& unit = units[{run.cell, run.unit}];
    unit.first_block = std::min(unit.first_block, run.block);
    unit.sum_time += run.time;
    unit.runs += 1;
    if (run.value > 0 && std::isfinite(run.value)) {
      unit.sum_log += std::log(run.value);
      unit.usable += 1;
    }
  }
  // Rows by block, then by how many units of the cell began there before.
  std::map<std::pair<size_t, size_t>, std::vector<const Unit*>> rows;
  std::map<std::pair<size_t, size_t>, size_t> begun;  // by cell and block
  for (const auto& [key, unit] : units) {
    size_t before = begun[{key.first, unit.first_block}]++;
    std::vector<const Unit*>& row = rows[{unit.first_block, before}];
    row.resize(cells, nullptr);
    row[key.first] = &unit;
  }
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  Blocks out;
  out.baseline = baseline;
  for (const auto& [key, row] : rows) {
    std::vector<double> values(cells, missing);
    std::vector<double> times(cells, missing);
    for (size_t c = 0; c < cells; ++c) {
      if (row[c] == nullptr) continue;
      times[c] = row[c]->sum_time / row[c]->runs;
      if (row[c]->usable > 0) values[c] = std::exp(row[c]->sum_log / row[c]->usable);
    }
    out.values.push_back(std::move(values));
    out.times.push_back(std::move(times));
  }
  return out;
}

}  // namespace lab::stats
