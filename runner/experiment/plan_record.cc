#include "runner/experiment/plan_record.h"

#include <algorithm>
#include <map>

#include "runner/plan/rewrite.h"
#include "runner/plan/schedule.h"
#include "runner/plan/shape.h"

namespace lab {
namespace {

// The block size leads the name of a test, as in published tables, where it is the same
// in all rows.
std::string prefix(const std::vector<RowShape>& shapes) {
  for (const RowShape& shape : shapes)
    if (shape.block_size != shapes[0].block_size) return "";
  return shapes.empty() ? "" : shapes[0].block_size + "-";
}

std::optional<unsigned> index(const std::optional<size_t>& phase) {
  return phase ? std::optional<unsigned>(static_cast<unsigned>(*phase)) : std::nullopt;
}

}  // namespace

results::Plan make_plan(const JobFile& job, const std::vector<Cell>& cells, int repeat,
                        uint64_t seed) {
  results::Plan plan;
  plan.seed = seed;
  for (const Phase& phase : phases_of(job)) {
    results::Phase record;
    for (size_t section : phase.sections) record.sections.push_back(job.sections()[section]);
    record.write = phase.writes;
    record.read = phase.reads;
    plan.phases.push_back(std::move(record));
  }
  unsigned row_number = 2;
  for (const Cell& cell : cells) {
    // The rows say what the cell's load is, overrides of its level included.
    JobFile own = job;
    apply_job_options(own, cell.settings);
    const std::vector<RowShape> shapes = rows_of(own);
    results::Cell record;
    record.name = cell.name;
    record.test = prefix(shapes) + cell.label;
    record.control_of = cell.control_of;
    record.restart = cell.restart;
    for (const auto& [factor, level] : cell.levels) record.levels.emplace_back(factor, level);
    for (const Setting& setting : cell.settings) record.settings.push_back(to_json(setting));
    plan.cells.push_back(std::move(record));
    for (const RowShape& shape : shapes) {
      results::Row row;
      row.row = row_number++;
      row.cell = cell.name;
      row.type = shape.type;
      row.block_bytes = shape.block_bytes;
      row.iodepth = static_cast<unsigned>(shape.iodepth);
      row.numjobs = static_cast<unsigned>(shape.numjobs);
      row.write_phase = index(shape.write_phase);
      row.read_phase = index(shape.read_phase);
      plan.rows.push_back(std::move(row));
    }
  }
  return with_repetitions(std::move(plan), repeat);
}

results::Plan with_repetitions(results::Plan plan, int repeat) {
  plan.runs.clear();
  // Cells that no restart applies are each on their own.
  std::vector<int> whole_plots;
  std::map<std::string, int> plots;
  for (size_t i = 0; i < plan.cells.size(); ++i) {
    const std::string& restart = plan.cells[i].restart;
    whole_plots.push_back(restart.empty()
                              ? static_cast<int>(i)
                              : plots.emplace(restart, static_cast<int>(i)).first->second);
  }
  for (const ScheduledRun& run : make_schedule(whole_plots, repeat, plan.seed)) {
    results::PlannedRun record;
    record.index = static_cast<unsigned>(run.index);
    const results::Cell& cell = plan.cells[static_cast<size_t>(run.cell)];
    record.cell = cell.name;
    if (!cell.restart.empty()) record.unit = static_cast<unsigned>(run.plot);
    record.block = static_cast<unsigned>(run.block);
    record.position = static_cast<unsigned>(run.position);
    record.mirrored = run.mirrored;
    plan.runs.push_back(std::move(record));
  }
  return plan;
}

results::Plan one_after_the_other(results::Plan plan, int repeat) {
  plan.runs.clear();
  unsigned unit = 0;
  for (const results::Cell& cell : plan.cells) {
    if (!cell.restart.empty()) ++unit;
    for (int segment = 1; segment <= repeat; ++segment) {
      results::PlannedRun run;
      run.index = static_cast<unsigned>(plan.runs.size()) + 1;
      run.cell = cell.name;
      run.block = static_cast<unsigned>(segment);
      run.position = 1;
      if (!cell.restart.empty()) run.unit = unit;
      plan.runs.push_back(std::move(run));
    }
  }
  return plan;
}

}  // namespace lab
