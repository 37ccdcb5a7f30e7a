#include "analysis/imported_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {

namespace {

using results::Mark;
using results::Weight;

// Reads this many times the median of the other rows are no effect of a setting.
constexpr double far_off = 2.5;
constexpr size_t problems_shown = 5;

// The jobs of one group of one file, which ran at the same time.
struct Step {
  std::vector<const FioJob*> jobs;
  bool writes = false;
  bool reads = false;
  std::string kind;                     // "rand", "seq", "various", or empty: not told
  std::optional<uint64_t> block_bytes;  // 0: several sizes; none: not told
  unsigned iodepth = 0;
  unsigned numjobs = 0;
};

std::string option(const FioOutput& run, const FioJob& job, const std::string& key) {
  if (auto own = job.options.find(key); own != job.options.end()) return own->second;
  auto global = run.global_options.find(key);
  return global == run.global_options.end() ? "" : global->second;
}

unsigned threads(const FioOutput& run, const Step& step) {
  // With group_reporting one entry stands for all threads of a section.
  if (step.jobs.size() == 1)
    if (auto jobs = parse_bytes(option(run, *step.jobs[0], "numjobs")))
      return static_cast<unsigned>(*jobs);
  return static_cast<unsigned>(step.jobs.size());
}

// As Step::block_bytes.
std::optional<uint64_t> block_bytes_of(const FioOutput& run, const FioJob& job) {
  for (const char* key : {"bssplit", "bsrange", "blocksize_range"})
    if (!option(run, job, key).empty()) return 0;
  std::string size = option(run, job, "bs");
  if (size.empty()) size = option(run, job, "blocksize");
  if (size.empty()) return std::nullopt;
  return parse_bytes(size.substr(0, size.find(','))).value_or(0);
}

void describe(const FioOutput& run, Step& step) {
  std::set<std::string> kinds;
  std::set<std::optional<uint64_t>> sizes;
  for (const FioJob* job : step.jobs) {
    step.writes |= job->write.total_ios > 0;
    step.reads |= job->read.total_ios > 0;
    std::string rw = option(run, *job, "rw");
    if (rw.empty()) rw = option(run, *job, "readwrite");
    if (!rw.empty()) kinds.insert(rw.starts_with("rand") ? "rand" : "seq");
    sizes.insert(block_bytes_of(run, *job));
    if (auto depth = parse_bytes(option(run, *job, "iodepth")))
      step.iodepth = std::max(step.iodepth, static_cast<unsigned>(*depth));
  }
  if (!kinds.empty()) step.kind = kinds.size() == 1 ? *kinds.begin() : "various";
  if (sizes.count(std::nullopt) == 0) step.block_bytes = sizes.size() == 1 ? *sizes.begin() : 0;
  step.numjobs = threads(run, step);
}

std::vector<Step> steps_of(const FioOutput& run) {
  std::map<unsigned, Step> groups;
  for (const FioJob& job : run.jobs) groups[job.group].jobs.push_back(&job);
  std::vector<Step> steps;
  for (auto& [number, step] : groups) {
    describe(run, step);
    steps.push_back(std::move(step));
  }
  return steps;
}

bool same_shape(const Step& a, const Step& b) {
  return a.kind == b.kind && a.block_bytes == b.block_bytes && a.iodepth == b.iodepth &&
         a.numjobs == b.numjobs;
}

std::vector<results::Row> rows_of(const std::vector<Step>& steps, const std::string& cell) {
  std::vector<results::Row> rows;
  for (unsigned i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (!step.writes && !step.reads) continue;
    results::Row row;
    row.cell = cell;
    row.block_bytes = step.block_bytes.value_or(0);
    row.block_told = step.block_bytes.has_value();
    row.iodepth = step.iodepth;
    row.numjobs = step.numjobs;
    if (step.writes) row.write_phase = i;
    if (step.reads) row.read_phase = i;
    std::string way = step.writes && step.reads ? "mixed" : step.writes ? "w" : "r";
    if (step.writes && !step.reads && i + 1 < steps.size() && steps[i + 1].reads &&
        !steps[i + 1].writes && same_shape(step, steps[i + 1])) {
      row.read_phase = ++i;
      way = "rw";
    }
    row.type = step.kind.empty() ? way : step.kind + " " + way;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string stem(const std::string& name) {
  std::string stem = fs::path(name).stem().string();
  return stem.empty() ? name : stem;
}

std::vector<std::string> situations(const std::vector<ImportedFile>& files) {
  std::map<std::string, size_t> count;
  for (const ImportedFile& file : files) ++count[stem(file.name)];
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const ImportedFile& file : files)
    names.push_back(count[stem(file.name)] == 1 ? stem(file.name) : file.name);
  return names;
}

// What isn't told may be the same.
template <typename T>
bool same(const T& a, const T& b) {
  return a == T() || b == T() || a == b;
}

bool may_repeat(const Step& a, const Step& b) {
  return a.writes == b.writes && a.reads == b.reads && same(a.kind, b.kind) &&
         same(a.block_bytes, b.block_bytes) && same(a.iodepth, b.iodepth) && a.numjobs == b.numjobs;
}

bool may_repeat(const FioOutput& a, const FioOutput& b) {
  std::vector<Step> steps = steps_of(a);
  std::vector<Step> others = steps_of(b);
  return std::equal(steps.begin(), steps.end(), others.begin(), others.end(),
                    [](const Step& x, const Step& y) { return may_repeat(x, y); });
}

std::string step_text(const Step& step) {
  std::string text = step.kind.empty() ? "" : step.kind + " ";
  text += step.writes && step.reads ? "mixed" : step.writes ? "w" : step.reads ? "r" : "no I/O";
  if (step.block_bytes)
    text += *step.block_bytes > 0 ? " " + short_bytes(*step.block_bytes) : " of mixed sizes";
  if (step.iodepth > 0) text += fmt::format(" iodepth {}", step.iodepth);
  return text + fmt::format(" numjobs {}", step.numjobs);
}

std::string steps_text(const FioOutput& run) {
  std::vector<std::string> texts;
  for (const Step& step : steps_of(run)) texts.push_back(step_text(step));
  return join(texts, ", then ");
}

// The file with those runs only that do the same as its first one that did I/O.
ImportedFile repetitions_of(const ImportedFile& file) {
  auto first = std::find_if(file.runs.begin(), file.runs.end(), [](const FioOutput& run) {
    return !rows_of(steps_of(run), "").empty();
  });
  if (first == file.runs.end()) return file;
  ImportedFile kept = file;
  kept.runs.clear();
  for (const FioOutput& run : file.runs) {
    if (may_repeat(*first, run))
      kept.runs.push_back(run);
    else
      kept.problems.push_back(
          {run.line,
           fmt::format("the fio output that begins here does something else ({}) than the "
                       "one in line {} ({}), which the row is made of: it is left out; "
                       "put it into a file of its own",
                       steps_text(run), first->line, steps_text(*first))});
  }
  return kept;
}

std::vector<ImportedFile> repetitions_of(const std::vector<ImportedFile>& files) {
  std::vector<ImportedFile> kept;
  kept.reserve(files.size());
  for (const ImportedFile& file : files) kept.push_back(repetitions_of(file));
  return kept;
}

std::vector<Mark> problem_marks(const ImportedFile& file) {
  std::vector<Mark> marks;
  for (const ImportProblem& problem : file.problems) {
    std::string place =
        problem.line > 0 ? fmt::format("{}:{}", file.name, problem.line) : file.name;
    if (marks.size() == problems_shown) {
      marks.push_back({Weight::doubtful, "import",
                       fmt::format("{}: and {} more places that can't be read or counted",
                                   file.name, file.problems.size() - problems_shown)});
      break;
    }
    marks.push_back({Weight::doubtful, "import", place + ": " + problem.text});
  }
  return marks;
}

// Builds plan and runs as if lab had made them.
class Builder {
 public:
  explicit Builder(const std::vector<ImportedFile>& files) : files_(repetitions_of(files)) {}
  Table build();

 private:
  void add_file(const ImportedFile& file, const std::string& situation);
  void add_run(const FioOutput& run, const results::Cell& cell, unsigned block,
               std::vector<Mark> marks);
  void add_unreadable(const ImportedFile& file, const results::Cell& cell);
  void name_phases();

  const std::vector<ImportedFile> files_;
  results::Plan plan_;
  std::vector<RunFigures> runs_;
};

// Phases are known by their place, since the names of jobs may differ between files; they
// are called by the names that the first file has for them.
void Builder::name_phases() {
  for (const ImportedFile& file : files_)
    for (const FioOutput& run : file.runs) {
      std::vector<Step> steps = steps_of(run);
      for (size_t i = plan_.phases.size(); i < steps.size(); ++i) {
        std::string name = steps[i].jobs[0]->name;
        for (const results::Phase& other : plan_.phases)
          if (other.sections[0] == name) name = fmt::format("{} (group {})", name, i);
        plan_.phases.push_back({{name}, false, false});
      }
      for (size_t i = 0; i < steps.size(); ++i) {
        plan_.phases[i].write |= steps[i].writes;
        plan_.phases[i].read |= steps[i].reads;
      }
    }
}

void Builder::add_run(const FioOutput& run, const results::Cell& cell, unsigned block,
                      std::vector<Mark> marks) {
  results::RunRecord record;
  record.index = static_cast<unsigned>(runs_.size()) + 1;
  record.cell = cell.name;
  record.block = block;
  record.position = static_cast<unsigned>(plan_.cells.size());
  record.marks = std::move(marks);
  plan_.runs.push_back({record.index, cell.name, block, record.position, true});

  // The file's own phases: what it doesn't do is no fault of it.
  results::Plan own = plan_;
  FioOutput renamed = run;
  std::vector<Step> steps = steps_of(run);
  std::map<unsigned, size_t> place;
  for (size_t i = 0; i < steps.size(); ++i) place[steps[i].jobs[0]->group] = i;
  for (size_t i = 0; i < own.phases.size(); ++i) {
    own.phases[i].write = i < steps.size() && steps[i].writes;
    own.phases[i].read = i < steps.size() && steps[i].reads;
  }
  for (FioJob& job : renamed.jobs) job.name = own.phases[place[job.group]].sections[0];
  RunFigures figures = measure(record, own, renamed, nullptr);
  // Only json+ has bins; the advice to write it comes years late.
  for (PhaseFigures& phase : figures.phases)
    std::erase_if(phase.marks, [](const Mark& mark) { return mark.code == "no-bins"; });
  runs_.push_back(std::move(figures));
}

void Builder::add_unreadable(const ImportedFile& file, const results::Cell& cell) {
  RunFigures figures;
  figures.record.index = static_cast<unsigned>(runs_.size()) + 1;
  figures.record.cell = cell.name;
  figures.record.block = 1;
  figures.record.ok = false;
  figures.marks = problem_marks(file);
  plan_.runs.push_back({figures.record.index, cell.name, 1, 1, true});
  runs_.push_back(std::move(figures));
}

void Builder::add_file(const ImportedFile& file, const std::string& situation) {
  results::Cell cell;
  cell.name = cell.test = situation;
  plan_.cells.push_back(cell);
  if (file.runs.empty())
    add_unreadable(file, cell);
  else
    for (size_t i = 0; i < file.runs.size(); ++i)
      add_run(file.runs[i], cell, static_cast<unsigned>(i) + 1,
              i == 0 ? problem_marks(file) : std::vector<Mark>());
  std::vector<results::Row> rows;
  if (!file.runs.empty()) rows = rows_of(steps_of(file.runs[0]), situation);
  if (rows.empty()) {
    results::Row empty;
    empty.cell = situation;
    empty.block_told = false;
    rows.push_back(empty);
  }
  for (results::Row& row : rows) {
    row.row = static_cast<unsigned>(plan_.rows.size()) + 2;
    plan_.rows.push_back(std::move(row));
  }
}

// p99 as fio printed it, where one job of one run is all that there is.
std::optional<double> printed_p99_ms(const std::vector<Step>& steps, std::optional<unsigned> phase,
                                     FioDirection FioJob::*direction) {
  if (!phase || *phase >= steps.size() || steps[*phase].jobs.size() != 1) return std::nullopt;
  const auto& percentiles = (steps[*phase].jobs[0]->*direction).clat.percentiles_ns;
  auto found = percentiles.find(99);
  if (found == percentiles.end()) return std::nullopt;
  return static_cast<double>(found->second) / 1e6;
}

void take_printed_p99(Table& table, const std::vector<ImportedFile>& files,
                      const std::vector<std::string>& names) {
  for (TableRow& row : table.rows) {
    size_t file =
        static_cast<size_t>(std::find(names.begin(), names.end(), row.plan.cell) - names.begin());
    if (file == names.size() || files[file].runs.size() != 1) continue;
    std::vector<Step> steps = steps_of(files[file].runs[0]);
    if (!row.write.p99_ms)
      row.write.p99_ms = printed_p99_ms(steps, row.plan.write_phase, &FioJob::write);
    if (!row.read.p99_ms)
      row.read.p99_ms = printed_p99_ms(steps, row.plan.read_phase, &FioJob::read);
  }
}

void add_mark(Table& table, std::vector<size_t>& owner, Mark mark) {
  owner.push_back(table.marks.size());
  table.marks.push_back({std::move(mark), {}});
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void mark_far_reads(Table& table) {
  for (TableRow& row : table.rows) {
    std::vector<double> others;
    for (const TableRow& other : table.rows)
      if (&other != &row && other.read.iops && other.plan.type == row.plan.type &&
          other.plan.block_bytes == row.plan.block_bytes &&
          other.plan.iodepth == row.plan.iodepth && other.plan.numjobs == row.plan.numjobs)
        others.push_back(*other.read.iops);
    if (!row.read.iops || others.size() < 2) continue;
    double times = *row.read.iops / median(others);
    if (times >= far_off)
      add_mark(table, row.marks,
               {Weight::doubtful, "far-off-reads",
                fmt::format("{} reads {:.1f} times as fast as the other rows at their median: an "
                            "image or a file that was never written whole reads like that, "
                            "answered without touching a disk",
                            row.test, times)});
  }
}

results::Manifest manifest_of(const std::vector<ImportedFile>& files,
                              const std::vector<std::string>& names) {
  results::Manifest manifest;
  manifest.title = "imported";
  std::set<std::string> versions;
  std::vector<std::string> each;
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].runs.empty()) continue;
    std::string version = files[i].runs[0].version;
    if (version.empty()) version = "not told";
    versions.insert(version);
    each.push_back(names[i] + ": " + version);
  }
  if (!versions.empty())
    manifest.conditions.emplace_back("fio",
                                     versions.size() == 1 ? *versions.begin() : join(each, "; "));
  return manifest;
}

Table Builder::build() {
  std::vector<std::string> names = situations(files_);
  name_phases();
  for (size_t i = 0; i < files_.size(); ++i) add_file(files_[i], names[i]);
  Table table = build_table(manifest_of(files_, names), plan_, std::move(runs_));
  for (TableRow& row : table.rows) row.write.judgement = row.read.judgement = {};
  table.findings.clear();
  table.headline.clear();
  take_printed_p99(table, files_, names);
  mark_far_reads(table);
  add_mark(table, table.general_marks,
           {Weight::note, "imported",
            "read from files: order, conditions and what was in effect are not known, so drift "
            "may be the whole of a difference, and there are no verdicts"});
  return table;
}

}  // namespace

Table imported_table(const std::vector<ImportedFile>& files) { return Builder(files).build(); }

}  // namespace lab::analysis
