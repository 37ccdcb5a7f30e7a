#include "analysis/measurement.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <future>
#include <thread>

#include "analysis/course.h"
#include "analysis/recovery/run.h"
#include "results/recovery.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

using results::Mark;
using results::Weight;

// Above this share of reads that came back all zero, what was read was not what a user
// reads; below it, a few holes in the image.
constexpr double kZeroReadsInvalidPercent = 1.0;

// The runner marks with the same code.
constexpr std::string_view kNotInEffect = "not-in-effect";

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<DirectionFigures> sum(const std::vector<const FioJob*>& jobs,
                                    FioDirection FioJob::*direction) {
  DirectionFigures sum;
  double latency_total_ns = 0;
  uint64_t latencies = 0;
  for (const FioJob* job : jobs) {
    const FioDirection& d = job->*direction;
    sum.ios += d.total_ios;
    sum.bytes += d.io_bytes;
    sum.runtime_s = std::max(sum.runtime_s, static_cast<double>(d.runtime_ms) / 1000);
    sum.clat.merge(d.clat.bins);
    latency_total_ns += d.clat.mean_ns * static_cast<double>(d.clat.samples);
    latencies += d.clat.samples;
  }
  if (sum.ios == 0 || sum.runtime_s <= 0) return {};
  sum.iops = static_cast<double>(sum.ios) / sum.runtime_s;
  sum.bytes_per_s = static_cast<double>(sum.bytes) / sum.runtime_s;
  sum.counted_iops = sum.iops;
  sum.clat_percentiles = percentiles_of(sum.clat);
  if (latencies > 0) sum.clat_mean_ns = latency_total_ns / static_cast<double>(latencies);
  return sum;
}

void take_fio_errors(const std::vector<const FioJob*>& jobs, PhaseFigures& figures) {
  uint64_t errors = 0;
  for (const FioJob* job : jobs) {
    // Without continue_on_error the first one ends the job and is not counted.
    errors += std::max<uint64_t>(job->total_errors, job->error != 0 ? 1 : 0);
    if (job->error != 0)
      figures.marks.push_back(
          {Weight::invalid, "fio-error",
           fmt::format("fio's job {} ended with error {} ({}): its figures are of a "
                       "part of the work",
                       job->name, job->error, strerror(job->error))});
    else if (job->total_errors > 0)
      figures.marks.push_back({Weight::doubtful, "io-errors",
                               fmt::format("{} I/Os of fio's job {} failed and were skipped",
                                           job->total_errors, job->name)});
  }
  figures.errors = std::max(figures.errors, errors);
}

// fio counts an I/O in the histogram when it counts it at all.
void mark_broken_bins(const std::vector<const FioJob*>& jobs, std::vector<Mark>& marks) {
  for (const FioJob* job : jobs)
    for (const FioDirection* direction : {&job->write, &job->read})
      if (const FioLatency& clat = direction->clat;
          !clat.bins.empty() && clat.bins.total() != clat.samples)
        marks.push_back({Weight::doubtful, "broken-histogram",
                         fmt::format("the histogram of fio's job {} holds {} I/Os, and fio counted "
                                     "{}: its percentiles are not to be trusted",
                                     job->name, clat.bins.total(), clat.samples)});
}

void take_closes(const results::Effective& effective, const results::Phase& phase,
                 PhaseFigures& figures) {
  uint64_t reads = 0;
  uint64_t zero_reads = 0;
  uint64_t errors = 0;
  for (const results::EffectiveClose& close : effective.closes) {
    if (!contains(phase.sections, close.job)) continue;
    figures.flush_s = std::max(figures.flush_s, close.flush_s);
    reads += close.reads;
    zero_reads += close.zero_reads;
    errors += close.errors;
  }
  if (zero_reads > 0) {
    double percent =
        reads == 0 ? 100 : 100 * static_cast<double>(zero_reads) / static_cast<double>(reads);
    figures.marks.push_back(
        {percent > kZeroReadsInvalidPercent ? Weight::invalid : Weight::doubtful, "zero-reads",
         fmt::format("{} of {} reads ({:.2g}%) came back all zero: parts that were never written "
                     "are answered without touching a disk; prefill the image",
                     zero_reads, reads, percent)});
  }
  figures.errors = errors;
  if (errors > 0)
    figures.marks.push_back({Weight::doubtful, "engine-errors",
                             fmt::format("the engine counted {} failed I/Os", errors)});
}

// Does the job's I/O go through an engine of lab's own, which keeps a record of it?
bool by_own_engine(const FioOutput& fio, const FioJob& job) {
  for (const auto* options : {&job.options, &fio.global_options})
    if (auto engine = options->find("ioengine"); engine != options->end())
      return engine->second.starts_with("external:") &&
             fs::path(engine->second).filename().string().starts_with("lab-");
  return false;
}

// Without the closing record of each of its threads, a job's final flush is not known: a cache
// that still held dirty data would be flattered. Nor are its all-zero reads.
void require_closes(const std::vector<const FioJob*>& jobs, const FioOutput& fio,
                    const results::Phase& phase, const results::Effective* effective,
                    PhaseFigures& figures) {
  if (jobs.empty() || !by_own_engine(fio, *jobs[0])) return;
  std::vector<std::string> missing;
  for (const std::string& section : phase.sections) {
    size_t opens = 0;
    size_t closes = 0;
    if (effective) {
      for (const results::EffectiveOpen& open : effective->opens) opens += open.job == section;
      for (const results::EffectiveClose& close : effective->closes) closes += close.job == section;
    }
    if (closes == 0 || closes < opens) missing.push_back(section);
  }
  if (!missing.empty())
    figures.marks.push_back(
        {Weight::invalid, "no-closing-record",
         fmt::format(
             "lab's engine left no closing record of {}: how long the final flush took, and "
             "whether reads came back all zero, is not known",
             fmt::join(missing, ", "))});
}

PhaseFigures measure_phase(const results::Phase& phase, const FioOutput& fio,
                           const results::Effective* effective) {
  PhaseFigures figures;
  std::vector<const FioJob*> jobs;
  for (const FioJob& job : fio.jobs)
    if (contains(phase.sections, job.name)) jobs.push_back(&job);
  figures.write = sum(jobs, &FioJob::write);
  figures.read = sum(jobs, &FioJob::read);
  if (effective) take_closes(*effective, phase, figures);
  require_closes(jobs, fio, phase, effective, figures);
  if (figures.write)
    figures.write->counted_iops =
        static_cast<double>(figures.write->ios) / (figures.write->runtime_s + figures.flush_s);
  take_fio_errors(jobs, figures);
  mark_broken_bins(jobs, figures.marks);

  bool unified = std::any_of(jobs.begin(), jobs.end(),
                             [](const FioJob* job) { return job->mixed.total_ios > 0; });
  for (auto [wanted, found, name] : {std::tuple(phase.write, figures.write.has_value(), "write"),
                                     std::tuple(phase.read, figures.read.has_value(), "read")}) {
    if (!wanted || found) continue;
    if (unified)
      figures.marks.push_back({Weight::invalid, "unified",
                               "unified_rw_reporting adds reads and writes up: there are no "
                               "separate figures; take it out of the job"});
    else
      figures.marks.push_back(
          {Weight::invalid, "no-io",
           fmt::format("fio did no {} in the jobs {}", name, fmt::join(phase.sections, ", "))});
  }
  for (const auto* d : {&figures.write, &figures.read}) {
    if (!*d || !(*d)->clat.empty()) continue;
    figures.marks.push_back({Weight::note, "no-bins",
                             "fio printed no latency bins (json instead of json+, or percentiles "
                             "turned off): there is no p99"});
    break;
  }
  return figures;
}

// Jobs are told apart by the names of their sections, in fio's output as in the engine's.
void mark_ambiguous_sections(const std::vector<results::Phase>& phases,
                             std::vector<PhaseFigures>& figures) {
  for (size_t a = 0; a < phases.size(); ++a)
    for (size_t b = 0; b < phases.size(); ++b)
      for (const std::string& name : phases[a].sections)
        if (a != b && contains(phases[b].sections, name)) {
          Mark mark{Weight::invalid, "ambiguous-section",
                    fmt::format("the section name {} stands in several phases of the job, so their "
                                "figures cannot be told apart; give each its own name",
                                name)};
          if (std::find(figures[a].marks.begin(), figures[a].marks.end(), mark) ==
              figures[a].marks.end())
            figures[a].marks.push_back(std::move(mark));
        }
}

// Settings of the runner and caches of the engine alike.
void judge_proof(const results::RunRecord& record, const results::Effective* effective,
                 RunFigures& figures) {
  auto worst = [&](Proof proof) { figures.proof = std::max(figures.proof, proof); };
  // Every job of a run says the same.
  auto contradict = [&](std::string text) {
    worst(Proof::contradicted);
    for (const Mark& mark : figures.marks)
      if (mark.code == kNotInEffect) return;
    figures.marks.push_back({Weight::invalid, std::string(kNotInEffect), std::move(text)});
  };
  std::vector<std::string> differing;
  for (const results::SettingProof& s : record.settings) {
    if (!s.verified) {
      worst(Proof::unverified);
      figures.marks.push_back(
          {Weight::note, "unverified",
           fmt::format("{}={} could not be read back, so it is not proven", s.name, s.asked)});
    } else if (*s.verified) {
      worst(Proof::verified);
    } else {
      differing.push_back(fmt::format("{}: asked {}, in effect {}{}", s.name, s.asked, s.effective,
                                      s.source.empty() ? "" : " (" + s.source + ")"));
    }
  }
  if (!differing.empty()) contradict(join(differing, "; ") + ": this is not what the row says");
  if (!effective) return;
  for (const results::EffectiveOpen& open : effective->opens) {
    if (open.cache_asked.empty() || open.cache_asked == "config") continue;
    if (open.cache_asked == open.cache_effective)
      worst(Proof::verified);
    else
      contradict(fmt::format("cache mode: asked {}, in effect {}: this is not what the row says",
                             open.cache_asked, open.cache_effective));
  }
}

// fio's figures leave it out, and the course of IOPS has it.
double ramp_s(const FioOutput& fio, const results::Phase& phase) {
  auto in = [](const std::map<std::string, std::string>& options) {
    const auto found = options.find("ramp_time");
    return found == options.end() ? 0 : parse_seconds(found->second).value_or(0);
  };
  double longest = in(fio.global_options);
  for (const FioJob& job : fio.jobs)
    if (contains(phase.sections, job.name)) longest = std::max(longest, in(job.options));
  return longest;
}

// Was each phase in a steady state?
void judge_courses(const fs::path& folder, const results::Plan& plan, const FioOutput& fio,
                   RunFigures& figures) {
  results::LiveSamples samples(folder);
  std::vector<results::LivePoint> points;
  for (results::LivePoint point; samples.next(point);) points.push_back(point);
  for (size_t phase = 0; phase < plan.phases.size(); ++phase)
    for (bool writes : {true, false})
      if (auto mark = judge_course(
              course_of(points, plan.phases, phase, writes, ramp_s(fio, plan.phases[phase])),
              writes ? "write" : "read"))
        figures.phases[phase].marks.push_back(std::move(*mark));
}

RecoveryFigures figures_of(const RecoveryRun& run) {
  return {run.to_clean_s, run.mean(&RecoveryMemory::baseline), run.mean(&RecoveryMemory::peak)};
}

}  // namespace

Percentiles percentiles_of(const Histogram& clat) {
  return {clat.percentile_ns(50), clat.percentile_ns(95), clat.percentile_ns(99),
          clat.percentile_ns(99.9)};
}

std::string_view to_text(Proof proof) {
  switch (proof) {
    case Proof::nothing_asked:
      return "-";
    case Proof::verified:
      return "verified";
    case Proof::unverified:
      return "unverified";
    case Proof::contradicted:
      return "contradicted";
  }
  return "contradicted";
}

RunFigures measure(const results::RunRecord& record, const results::Plan& plan,
                   const FioOutput& fio, const results::Effective* effective) {
  RunFigures figures;
  figures.record = record;
  figures.usable = true;
  figures.marks = record.marks;
  if (record.attempt > 1)
    figures.marks.push_back({Weight::note, "repeated-run",
                             "an earlier attempt failed, so it ran later than planned: drift is "
                             "cancelled less well"});
  judge_proof(record, effective, figures);
  if (effective && effective->truncated)
    figures.marks.push_back({Weight::doubtful, "effective-cut-off",
                             "the engine was killed while it wrote effective.jsonl: what it "
                             "counted may be missing"});
  for (const results::Phase& phase : plan.phases)
    figures.phases.push_back(measure_phase(phase, fio, effective));
  mark_ambiguous_sections(plan.phases, figures.phases);
  return figures;
}

RunFigures load_measurement(const results::FinishedRun& run, const results::Plan& plan) {
  RunFigures unusable;
  unusable.record = run.record;
  unusable.marks = run.record.marks;
  if (!run.record.ok) {
    unusable.marks.push_back(
        {Weight::doubtful, "failed-run",
         fmt::format("failed and counts nowhere: {}",
                     run.record.error.empty() ? "no reason is recorded" : run.record.error)});
    return unusable;
  }
  try {
    const fs::path path = run.folder / "fio.json";
    FioOutput fio;
    // A recovery without load has no fio.
    if (!plan.phases.empty()) fio = parse_fio(read_file(path), path.string());
    std::optional<results::Effective> effective = results::load_effective(run.folder);
    RunFigures figures = measure(run.record, plan, fio, effective ? &*effective : nullptr);
    // What befalls a cluster on purpose leaves no steady state.
    if (auto recovery = results::load_recovery(run.folder))
      figures.recovery = figures_of(load_recovery_memory(run.folder, std::move(*recovery)));
    else
      judge_courses(run.folder, plan, fio, figures);
    return figures;
  } catch (const Error& e) {
    unusable.marks.push_back(
        {Weight::doubtful, "unreadable-run",
         fmt::format("its output cannot be read and counts nowhere: {}", e.what())});
    return unusable;
  }
}

void load_measurements(const std::vector<const results::FinishedRun*>& runs,
                       const results::Plan& plan, const std::function<void(RunFigures)>& take) {
  // More threads would wait for the one that takes.
  const size_t threads = std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  const size_t at_a_time = threads * 8;
  for (size_t begin = 0; begin < runs.size(); begin += at_a_time) {
    std::vector<RunFigures> loaded(std::min(at_a_time, runs.size() - begin));
    std::atomic<size_t> next = 0;
    auto work = [&] {
      for (size_t i; (i = next++) < loaded.size();)
        loaded[i] = load_measurement(*runs[begin + i], plan);
    };
    std::vector<std::future<void>> others;
    for (size_t i = 1; i < std::min(threads, loaded.size()); ++i)
      others.push_back(std::async(std::launch::async, work));
    work();
    for (std::future<void>& other : others) other.get();
    for (RunFigures& run : loaded) take(std::move(run));
  }
}

}  // namespace lab::analysis
