#include "analysis/side.h"

#include <algorithm>
#include <charconv>

#include "results/reader.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

std::optional<unsigned> whole_number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

bool directory_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// "cache=off,ioengine=libaio"
bool has_levels(const results::Cell& cell, std::string_view text) {
  const std::vector<std::string> parts = split(text, ',');
  return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return std::any_of(cell.levels.begin(), cell.levels.end(),
                       [&](const auto& level) { return part == level.first + "=" + level.second; });
  });
}

// The plan as if nothing but this run had been planned.
void keep_run(results::Plan& plan, unsigned index) {
  const results::PlannedRun run = *plan.find_run(index);
  std::erase_if(plan.rows, [&](const results::Row& row) { return row.cell != run.cell; });
  plan.runs = {run};
}

}  // namespace

Selection parse_selection(const std::string& text) {
  if (directory_exists(text)) return {text, "", {}};
  for (size_t at = text.size(); at-- > 1;) {
    if (text[at] != ':' && text[at] != '@') continue;
    const fs::path directory = text.substr(0, at);
    if (!directory_exists(directory)) continue;
    const std::string rest = text.substr(at + 1);
    if (text[at] == ':' && !rest.empty()) return {directory, rest, {}};
    const std::optional<unsigned> run = whole_number(rest);
    if (text[at] == '@' && run) return {directory, "", run};
    throw usage_error("{}: after the directory comes :CELL or @RUN, the number of a run", text);
  }
  throw usage_error("{}: there is no such directory; DIR, DIR:CELL or DIR@RUN is needed", text);
}

Side load_side(const std::string& text) {
  const Selection selection = parse_selection(text);
  const results::ResultReader reader = results::ResultReader::load(selection.directory);
  Side side;
  side.name = text;
  side.place = selection.directory.string();
  side.directory = fs::canonical(selection.directory);
  side.job = results::load_optional(selection.directory / "job.fio");
  side.plan = reader.plan();
  side.single_run = selection.run.has_value();
  if (!selection.cell.empty()) {
    const results::Cell* cell = find_cell(side.plan, selection.cell);
    if (!cell)
      throw usage_error("{}: there is no one cell \"{}\"; {} has: {}", text, selection.cell,
                        selection.directory.string(), cell_names(side.plan));
    side.cell = cell->name;
  }
  if (!selection.run) {
    side.table = load_table(reader);
    side.memory = load_osd_memory(selection.directory);
    return side;
  }
  const results::FinishedRun* run = reader.find(*selection.run);
  if (!run)
    throw usage_error("{}: there is no finished run {}; lab results show {} lists them", text,
                      *selection.run, selection.directory.string());
  side.cell = run->record.cell;
  keep_run(side.plan, *selection.run);
  side.table = build_table(reader.manifest(), side.plan, {load_measurement(*run, reader.plan())});
  return side;
}

const results::Cell* find_cell(const results::Plan& plan, std::string_view name) {
  if (const results::Cell* cell = plan.find_cell(std::string(name))) return cell;
  const results::Cell* found = nullptr;
  for (const results::Cell& cell : plan.cells) {
    if (cell.test != name && !has_levels(cell, name)) continue;
    if (found) return nullptr;
    found = &cell;
  }
  return found;
}

std::string cell_names(const results::Plan& plan) {
  std::vector<std::string> names;
  for (const results::Cell& cell : plan.cells) names.push_back(cell.name);
  return join(names, ", ");
}

std::vector<const TableRow*> rows_of(const Table& table, const std::string& cell) {
  std::vector<const TableRow*> rows;
  for (const TableRow& row : table.rows)
    if (row.plan.cell == cell) rows.push_back(&row);
  return rows;
}

Side of_cell(Side side, const std::string& cell) {
  side.cell = cell;
  side.name = fmt::format("{}:{}", side.place, cell);
  return side;
}

}  // namespace lab::analysis
