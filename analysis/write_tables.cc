#include "analysis/write_tables.h"

#include <algorithm>

#include "analysis/render/renderer.h"

namespace lab::analysis {

LiveTables::LiveTables(const fs::path& directory)
    : reader_(results::ResultReader::load(directory)), builder_(reader_.plan().rows) {}

Table LiveTables::update() {
  reader_.refresh();
  auto is_taken = [&](const results::FinishedRun& run) {
    const auto found = taken_.find(run.record.index);
    return found != taken_.end() && found->second == run.folder;
  };
  const bool repeated = std::any_of(reader_.runs().begin(), reader_.runs().end(),
                                    [&](const results::FinishedRun& run) {
                                      return taken_.contains(run.record.index) && !is_taken(run);
                                    });
  if (repeated) {
    // What a run has given to the sums cannot be taken out again.
    builder_ = TableBuilder(reader_.plan().rows);
    taken_.clear();
  }
  std::vector<const results::FinishedRun*> runs;
  for (const results::FinishedRun& run : reader_.runs()) {
    if (is_taken(run)) continue;
    runs.push_back(&run);
    taken_[run.record.index] = run.folder;
  }
  load_measurements(runs, reader_.plan(), [&](RunFigures run) { builder_.add(std::move(run)); });

  Table table = builder_.build(reader_.manifest(), reader_.plan(), reader_.damaged());
  for (auto [format, name] : {std::pair(Format::table, "table.txt"),
                              {Format::markdown, "table.md"},
                              {Format::csv, "table.csv"},
                              {Format::tidy, "tidy.csv"}})
    write_file_atomically(reader_.directory() / name, make_renderer(format)->render(table));
  return table;
}

}  // namespace lab::analysis
