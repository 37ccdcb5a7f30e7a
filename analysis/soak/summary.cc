#include "analysis/soak/summary.h"

#include <algorithm>

#include "analysis/render/wording.h"
#include "results/samples.h"
#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/base/time.h"

namespace lab::analysis {
namespace {

constexpr double kMB = 1e6;
constexpr size_t kPoints = 4096;  // of a service's series, however long a soak is

// What went on beside a segment and belongs into the timeline.
bool is_event(const std::string& code) {
  for (const char* known : {"osd-restarted", "osd-down", "osd-in-changed", "health-worse",
                            "recovery-ran", "scrub-ran", "slow-ops", "oom-kill", "swapping",
                            "failed-run", "io-errors", "engine-errors", "fio-error"})
    if (code == known) return true;
  return false;
}

double hours_of(const std::string& iso) {
  const std::optional<TimePoint> time = parse_utc(iso);
  if (!time) throw usage_error("run.json: \"{}\" is no time", iso);
  return std::chrono::duration<double, std::ratio<3600>>(time->time_since_epoch()).count();
}

// Its samples in stretches of equal time, and since its last start.
struct Course {
  ServiceMemory memory;
  struct Stretch {
    double hours = 0, bytes = 0, count = 0;
  };
  std::vector<Stretch> stretches;
  double cpu_ms = 0;
  bool seen = false;

  void add(double at_hours, double bytes, double all_hours) {
    if (!seen) memory.first_bytes = bytes;
    seen = true;
    memory.last_bytes = bytes;
    memory.peak_bytes = std::max(memory.peak_bytes, bytes);
    if (stretches.empty()) stretches.resize(kPoints);
    const auto at = static_cast<size_t>(at_hours / std::max(all_hours, 1e-9) * kPoints);
    Stretch& stretch = stretches[std::min(at, kPoints - 1)];
    stretch.hours += at_hours;
    stretch.bytes += bytes;
    stretch.count += 1;
  }

  // The CPU time of a process never falls: another one has its place.
  bool is_new_process(double now_cpu_ms) {
    const bool is_new = now_cpu_ms < cpu_ms;
    cpu_ms = now_cpu_ms;
    if (is_new) {
      ++memory.restarts;
      stretches.clear();
    }
    return is_new;
  }

  stats::TimeSeries series(double from_hours) const {
    stats::TimeSeries out;
    out.reserve(stretches.size());
    for (const Stretch& stretch : stretches)
      if (stretch.count > 0 && stretch.hours / stretch.count >= from_hours)
        out.emplace_back(stretch.hours / stretch.count, stretch.bytes / stretch.count);
    return out;
  }
};

// Caches fill and arenas grow at first: a tenth of it, at least ten minutes and at most a quarter.
double warmup_of(double hours) { return std::min(std::max(hours / 10, 1.0 / 6), hours / 4); }

struct Load {
  double write_ops = 0, read_ops = 0, seconds = 0;
  bool writes = false, reads = false;
};

void add_figures(const RunFigures& figures, SoakCell& cell, Load& load) {
  for (const PhaseFigures& phase : figures.phases) {
    double seconds = 0;
    if (phase.write) {
      load.writes = true;
      load.write_ops += static_cast<double>(phase.write->ios);
      seconds = std::max(seconds, phase.write->runtime_s);
    }
    if (phase.read) {
      load.reads = true;
      load.read_ops += static_cast<double>(phase.read->ios);
      seconds = std::max(seconds, phase.read->runtime_s);
    }
    load.seconds += seconds;
    cell.errors += phase.errors;
  }
}

void read_samples(const results::FinishedRun& run, double first_hours, double all_hours,
                  std::map<std::string, Course>& courses, SoakCell& cell,
                  std::vector<std::string>& warnings) {
  const double begin = hours_of(run.record.started) - first_hours;
  results::Samples samples(run.folder);
  results::Sample sample;
  while (samples.next(sample)) {
    const bool cpu = sample.metric == "cpu";
    if (!cpu && sample.metric != "rss") continue;
    Course& course = courses[std::string(sample.daemon)];
    if (!cpu)
      course.add(begin + sample.time_s / 3600, static_cast<double>(sample.value), all_hours);
    else if (course.is_new_process(static_cast<double>(sample.value)))
      cell.events.push_back(
          {run.record.ended, "restarted", std::string(sample.daemon) + " runs as another process"});
  }
  if (samples.damaged().count > 0)
    warnings.push_back(samples.damaged().text(run.folder / results::kSamplesFile));
}

SoakCell load_cell(const results::Cell& planned, const results::ResultReader& reader,
                   SoakSummary& summary) {
  SoakCell cell;
  cell.cell = planned;
  cell.planned = reader.plan().repetitions(planned.name);
  std::vector<const results::FinishedRun*> runs;
  for (const results::FinishedRun& run : reader.runs())
    if (run.record.cell == planned.name) runs.push_back(&run);
  if (runs.empty()) return cell;
  const double first = hours_of(runs.front()->record.started);
  const double all_hours = hours_of(runs.back()->record.ended) - first;
  std::map<std::string, Course> courses;
  Load load;
  for (const results::FinishedRun* run : runs) {
    const RunFigures* figures = summary.table.find_run(run->record.index);
    if (!run->record.ok || !figures || !figures->usable) ++cell.failed;
    if (figures) {
      for (const results::Mark& mark : figures->marks)
        if (is_event(mark.code)) cell.events.push_back({run->record.ended, mark.code, mark.text});
      for (const PhaseFigures& phase : figures->phases)
        for (const results::Mark& mark : phase.marks)
          if (is_event(mark.code)) cell.events.push_back({run->record.ended, mark.code, mark.text});
    }
    if (!run->record.ok || !figures || !figures->usable) continue;
    ++cell.segments;
    add_figures(*figures, cell, load);
    read_samples(*run, first, all_hours, courses, cell, summary.warnings);
  }
  cell.hours = load.seconds / 3600;
  if (load.seconds > 0) {
    if (load.writes) cell.write_iops = load.write_ops / load.seconds;
    if (load.reads) cell.read_iops = load.read_ops / load.seconds;
  }
  cell.warmup_hours = warmup_of(all_hours);
  for (auto& [service, course] : courses) {
    if (!course.seen) continue;
    course.memory.growth = stats::growth_of(course.series(cell.warmup_hours));
    cell.services[service] = course.memory;
  }
  for (const TableRow& row : summary.table.rows) {
    if (row.plan.cell != planned.name) continue;
    if (row.write.p99_ms) cell.write_p99_ms = row.write.p99_ms;
    if (row.read.p99_ms) cell.read_p99_ms = row.read.p99_ms;
    cell.marks.insert(cell.marks.end(), row.marks.begin(), row.marks.end());
  }
  return cell;
}

OrderedJson or_null(const std::optional<double>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

const char* to_text(stats::Growth::Verdict verdict) {
  switch (verdict) {
    case stats::Growth::Verdict::grows:
      return "grows";
    case stats::Growth::Verdict::levels_off:
      return "levels off";
    case stats::Growth::Verdict::shrinks:
      return "shrinks";
    case stats::Growth::Verdict::no_growth:
      break;
  }
  return "no growth";
}

OrderedJson to_json(const ServiceMemory& memory) {
  OrderedJson json = {{"rss_first_bytes", memory.first_bytes},
                      {"rss_last_bytes", memory.last_bytes},
                      {"rss_peak_bytes", memory.peak_bytes},
                      {"restarts", memory.restarts},
                      {"growth", nullptr}};
  if (const auto& growth = memory.growth)
    json["growth"] = {
        {"verdict", to_text(growth->verdict)},      {"text", growth_text(growth)},
        {"bytes_per_hour", growth->per_hour},       {"interval_low", growth->interval95.low},
        {"interval_high", growth->interval95.high}, {"hours", growth->hours}};
  return json;
}

}  // namespace

SoakSummary load_soak(const results::ResultReader& reader) {
  if (reader.manifest().procedure != "soak")
    throw usage_error("{}: this is no soak; lab soak makes one", reader.directory().string());
  SoakSummary summary;
  summary.table = load_table(reader);
  for (const results::Cell& cell : reader.plan().cells)
    summary.cells.push_back(load_cell(cell, reader, summary));
  return summary;
}

std::string growth_text(const std::optional<stats::Growth>& growth) {
  if (!growth) return "too short to tell";
  const double low = growth->interval95.low / kMB;
  const double high = growth->interval95.high / kMB;
  switch (growth->verdict) {
    case stats::Growth::Verdict::grows:
      return fmt::format("grows by {:.3g} MB/h ({:.3g} to {:.3g})", growth->per_hour / kMB, low,
                         high);
    case stats::Growth::Verdict::levels_off:
      return fmt::format("grew, and levels off (second half: {:.3g} to {:.3g} MB/h)",
                         growth->second_half95.low / kMB, growth->second_half95.high / kMB);
    case stats::Growth::Verdict::shrinks:
      return fmt::format("shrinks by {:.3g} MB/h", -growth->per_hour / kMB);
    case stats::Growth::Verdict::no_growth:
      break;
  }
  return fmt::format("no growth beyond {:.3g} MB/h", high);
}

OrderedJson to_json(const SoakSummary& summary) {
  OrderedJson cells = OrderedJson::array();
  for (const SoakCell& cell : summary.cells) {
    OrderedJson services = OrderedJson::object();
    for (const auto& [name, memory] : cell.services) services[name] = to_json(memory);
    OrderedJson events = OrderedJson::array();
    for (const SoakEvent& event : cell.events)
      events.push_back({{"time", event.time}, {"code", event.code}, {"text", event.text}});
    cells.push_back({{"cell", cell.cell.name},
                     {"test", cell.cell.test},
                     {"segments_done", cell.segments},
                     {"segments_failed", cell.failed},
                     {"segments_planned", cell.planned},
                     {"hours", cell.hours},
                     {"warmup_hours", cell.warmup_hours},
                     {"write_iops", or_null(cell.write_iops)},
                     {"read_iops", or_null(cell.read_iops)},
                     {"write_p99_ms", or_null(cell.write_p99_ms)},
                     {"read_p99_ms", or_null(cell.read_p99_ms)},
                     {"errors", cell.errors},
                     {"services", services},
                     {"events", events}});
  }
  return {{"title", summary.table.manifest.title}, {"cells", cells}};
}

void write_soak_summary(const fs::path& directory) {
  write_file_atomically(directory / "summary.json",
                        json_text(to_json(load_soak(results::ResultReader::load(directory)))));
}

std::string segment_text(const fs::path& folder, const RunFigures& figures) {
  results::Samples samples(folder);
  results::Sample sample;
  std::map<std::string, uint64_t> last;
  while (samples.next(sample))
    if (sample.metric == "rss") last[std::string(sample.daemon)] = sample.value;
  std::vector<std::string> memory;
  memory.reserve(last.size());
  for (const auto& [daemon, bytes] : last)
    memory.push_back(fmt::format("{} {:.0f}", daemon, static_cast<double>(bytes) / kMB));
  std::optional<double> write, read, write_p99, read_p99;
  uint64_t errors = 0;
  auto ms = [](const std::optional<uint64_t>& ns) -> std::optional<double> {
    return ns ? std::optional(static_cast<double>(*ns) / 1e6) : std::nullopt;
  };
  for (const PhaseFigures& phase : figures.phases) {
    if (phase.write) {
      write = phase.write->counted_iops;
      write_p99 = ms(phase.write->clat_percentiles.p99_ns);
    }
    if (phase.read) {
      read = phase.read->iops;
      read_p99 = ms(phase.read->clat_percentiles.p99_ns);
    }
    errors += phase.errors;
  }
  return fmt::format("w {} r {} IOPS, p99 w {} r {} ms, {} errors; rss_mb {}", iops_number(write),
                     iops_number(read), latency_text(write_p99), latency_text(read_p99), errors,
                     join(memory, " "));
}

}  // namespace lab::analysis
