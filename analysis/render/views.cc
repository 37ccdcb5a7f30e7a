#include "analysis/render/views.h"

#include <algorithm>
#include <array>
#include <set>

#include "analysis/render/view_measures.h"
#include "analysis/render/wording.h"
#include "analysis/row_processes.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

constexpr std::array<std::pair<std::string_view, View>, 4> kViews = {{{"iops", View::iops},
                                                                      {"factors", View::factors},
                                                                      {"latency", View::latency},
                                                                      {"ratio", View::ratio}}};

// What a line of the grid shows: entries that differ in the pivot's level only, by that level.
struct Line {
  std::vector<std::pair<std::string, Entry>> entries;  // level, entry
  const Entry& first() const { return entries.front().second; }
  const Entry* at(const std::string& level) const {
    for (const auto& [name, entry] : entries)
      if (name == level) return &entry;
    return nullptr;
  }
};

std::vector<Entry> entries_of(const TableRow& row, View view) {
  const bool write = row.write.planned;
  const bool read = row.read.planned;
  if (view == View::ratio && write && read && row.plan.write_phase != row.plan.read_phase)
    return {{&row, true, false}, {&row, false, true}};
  return {{&row, write, read}};
}

bool same_line(const Entry& a, const Entry& b, const std::string& pivot) {
  auto others = [&](const TableRow& row) {
    auto levels = row.levels;
    std::erase_if(levels, [&](const auto& level) { return level.first == pivot; });
    return levels;
  };
  return a.write == b.write && a.read == b.read && a.row->plan.type == b.row->plan.type &&
         a.row->plan.write_phase == b.row->plan.write_phase &&
         a.row->plan.read_phase == b.row->plan.read_phase && others(*a.row) == others(*b.row);
}

std::vector<Line> lines_of(const Table& table, const ViewOptions& options) {
  std::vector<Line> lines;
  for (const TableRow& row : table.rows) {
    const std::string level =
        options.pivot.empty() ? "" : results::level_of(row.levels, options.pivot);
    for (const Entry& entry : entries_of(row, options.view)) {
      auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& other) {
        // A control has its baseline's levels: it is a line of its own.
        return !options.pivot.empty() && !other.at(level) &&
               same_line(other.first(), entry, options.pivot);
      });
      if (line == lines.end()) line = lines.insert(lines.end(), Line());
      line->entries.emplace_back(level, entry);
    }
  }
  return lines;
}

// What the allocator of a cell was: of the OSDs' processes in its runs, of the settings that were
// read back for it, or else of the OSDs that the manifest lists.
std::string allocator_version(const Table& table, const TableRow& row) {
  if (std::string version = row_processes(table, row).allocator_version; !version.empty())
    return version;
  const std::string level = results::level_of(row.levels, "allocator");
  for (const RunFigures& run : table.runs) {
    if (run.record.cell != row.plan.cell) continue;
    for (const results::SettingProof& setting : run.record.settings)
      if (setting.name == "allocator" && setting.effective.starts_with(level + " "))
        return std::string(trim(std::string_view(setting.effective).substr(level.size())));
  }
  std::set<std::string> versions;
  for (const results::OsdRecord& osd : table.manifest.osds)
    if (osd.allocator == level) versions.insert(std::string(trim(osd.package + " " + osd.version)));
  return join({versions.begin(), versions.end()}, ", ");
}

// Builds the columns one by one, over all lines.
class Builder {
 public:
  Builder(const Table& table, const ViewOptions& options, bool people)
      : table_(table), options_(options), people_(people), lines_(lines_of(table, options)) {
    grid_.rows.resize(lines_.size());
  }

  Grid build() {
    add_keys();
    grid_.keys = grid_.columns.size();
    std::vector<std::string> levels = {""};
    if (!options_.pivot.empty()) levels = all_levels();
    for (const std::string& level : levels) add_measures(level);
    grid_.title = title_text(table_);
    if (people_) add_words();
    return std::move(grid_);
  }

 private:
  template <typename Text>
  void add_column(const std::string& title, bool right, Text text) {
    grid_.columns.push_back({title, right});
    for (size_t i = 0; i < lines_.size(); ++i) grid_.rows[i].push_back(text(lines_[i]));
  }

  // The distinct texts of a line's entries: one, unless the pivot is what varies it.
  template <typename Text>
  static std::string distinct(const Line& line, Text text) {
    std::vector<std::string> seen;
    for (const auto& [level, entry] : line.entries)
      if (std::find(seen.begin(), seen.end(), text(entry)) == seen.end())
        seen.push_back(text(entry));
    return join(seen, ", ");
  }

  // A control has its baseline's levels: without a word nobody could tell the two apart.
  static std::string named_as(const Line& line, const std::string& name) {
    return line.first().row->control ? name + " (again)" : name;
  }

  void add_keys() {
    const bool own_columns = options_.view == View::factors || !options_.pivot.empty();
    bool named = false;
    for (const std::string& factor : table_.factors) {
      if (factor == options_.pivot || !own_columns) continue;
      add_column(people_ ? factor : "factor_" + factor, false,
                 [&, first = !named](const Line& line) {
                   const std::string level = results::level_of(line.first().row->levels, factor);
                   return Field{first ? named_as(line, level) : level};
                 });
      named = true;
      if (factor == "allocator")
        add_column(people_ ? "version" : "allocator_version", false, [&](const Line& line) {
          return Field{allocator_version(table_, *line.first().row)};
        });
    }
    if (!named)
      add_column(people_ ? "Test" : "test", false, [&](const Line& line) {
        return Field{options_.pivot.empty() ? line.first().row->test
                                            : named_as(line, table_.manifest.title)};
      });
    add_column(people_ ? "Type" : "type", false,
               [](const Line& line) { return Field{line.first().row->plan.type}; });
    if (options_.view != View::ratio) return;
    add_column(people_ ? "read:write" : "read_write", false, [&](const Line& line) {
      return Field{distinct(line, [&](const Entry& e) { return ratio_of(table_, e); })};
    });
    add_column(people_ ? "jobs × iodepth" : "jobs_iodepth", false, [&](const Line& line) {
      return Field{distinct(line, [&](const Entry& e) {
        return fmt::format("{}{}{}", e.row->plan.numjobs, people_ ? "×" : "x", e.row->plan.iodepth);
      })};
    });
  }

  std::vector<std::string> all_levels() const {
    std::vector<std::string> levels;
    for (const TableRow& row : table_.rows) {
      const std::string level = results::level_of(row.levels, options_.pivot);
      if (std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
    }
    return levels;
  }

  void add_measures(const std::string& level) {
    const std::vector<Measure> measures = people_
                                              ? measures_for_people(table_, options_.view)
                                              : measures_for_spreadsheets(table_, options_.view);
    for (const Measure& measure : measures) {
      std::string title = measure.title;
      if (!options_.pivot.empty()) title = people_ ? level + ": " + title : title + "_" + level;
      add_column(title, measure.right, [&](const Line& line) {
        const Entry* entry = line.at(level);
        return entry ? measure.field(*entry) : Field{people_ ? "-" : "", !people_};
      });
      if (measure.title == "marks") drop_last_if_empty();
    }
  }

  void drop_last_if_empty() {
    for (const Record& row : grid_.rows)
      if (!row.back().text.empty() && row.back().text != "-") return;
    grid_.columns.pop_back();
    for (Record& row : grid_.rows) row.pop_back();
  }

  void add_words() {
    if (!table_.headline.empty()) grid_.before.push_back(table_.headline + ".");
    for (const auto& [key, text] : conditions(table_)) grid_.before.push_back(key + ": " + text);
    for (size_t i = 0; i < table_.marks.size(); ++i)
      grid_.after.push_back(mark_number(table_, i) + " " + mark_text(table_, i));
    if (options_.view == View::ratio) grid_.after.emplace_back(kRatioNote);
    for (const std::string& note : reading_notes(table_)) grid_.after.push_back(note);
  }

  const Table& table_;
  const ViewOptions& options_;
  bool people_;
  std::vector<Line> lines_;
  Grid grid_;
};

}  // namespace

std::optional<View> view_from_text(std::string_view text) {
  for (const auto& [name, view] : kViews)
    if (name == text) return view;
  return {};
}

std::vector<std::string> view_names() {
  std::vector<std::string> names;
  names.reserve(kViews.size());
  for (const auto& [name, unused] : kViews) names.emplace_back(name);
  return names;
}

void check_pivot(const Table& table, const std::string& pivot) {
  const auto& factors = table.factors;
  if (!pivot.empty() && std::find(factors.begin(), factors.end(), pivot) == factors.end())
    throw usage_error("--pivot={}: no factor of this table; it has {}", pivot,
                      factors.empty() ? "none" : join(factors, ", "));
}

Grid view_of(const Table& table, const ViewOptions& options, Format format) {
  if (!has_grid_form(format))
    throw usage_error(
        "--table and --pivot arrange figures for table, markdown, csv and tsv; the other formats "
        "have all figures as they are");
  check_pivot(table, options.pivot);
  const bool people = format == Format::table || format == Format::markdown;
  return Builder(table, options, people).build();
}

}  // namespace lab::analysis
