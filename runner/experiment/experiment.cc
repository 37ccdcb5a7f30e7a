#include "runner/experiment/experiment.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include "results/live.h"
#include "runner/base/error.h"
#include "runner/base/interrupt.h"
#include "runner/base/time.h"
#include "runner/experiment/job_options.h"
#include "runner/fio/fio.h"
#include "runner/hosts/find_library.h"
#include "runner/plan/rewrite.h"
#include "runner/plan/shape.h"
#include "runner/tuning/proof.h"
#include "runner/tuning/surroundings.h"
#include "runner/witness/client_account.h"
#include "runner/witness/host_witness.h"

namespace lab {
namespace {

constexpr int kFailuresInARow = 3;
// By then fio is itself, and no longer the copy of lab that becomes it.
constexpr double kClientStarted_s = 0.2;

class Stopwatch {
 public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

const Cell& find_cell(const std::vector<Cell>& cells, const std::string& name) {
  return *std::find_if(cells.begin(), cells.end(), [&](const Cell& c) { return c.name == name; });
}

// What didn't take effect, in one text; empty if all is as asked.
std::string not_in_effect(const std::vector<results::SettingProof>& proofs) {
  std::string text;
  for (const results::SettingProof& proof : proofs) {
    if (proof.verified.value_or(true)) continue;
    if (!text.empty()) text += "; ";
    text += fmt::format("{}: asked {}, in effect {}{}", proof.name, proof.asked,
                        proof.effective.empty() ? "unknown" : proof.effective,
                        proof.source.empty() ? "" : fmt::format(" ({})", proof.source));
  }
  return text;
}

// The target's own variables go before a level's.
void set_environment(const FioInput& input, const Cell& cell, FioRun& run) {
  run.environment = input.environment;
  const char* preload = std::getenv("LD_PRELOAD");
  for (const auto& [variable, value] :
       client_environment(cell.settings, preload ? preload : "", hosts::find_library)) {
    if (value)
      run.environment.emplace(variable, *value);
    else
      run.without.insert(variable);
  }
}

// Makes the world as the cell asks, and proves it before time is spent on a run; true if daemons
// were started anew. What can't be had is taken back at once.
bool bring_about(const Experiment& experiment, const Cell& cell, World& world,
                 const results::RunRecord& record) {
  try {
    const bool started_anew = world.enter(cell, record.unit);
    const std::string text = not_in_effect(world.prove(cell));
    if (!text.empty() && !experiment.allow_invalid)
      throw environment_error("not in effect: {}", text);
    return started_anew;
  } catch (const Error&) {
    world.restore();
    throw;
  }
}

// The same load for every cell after its daemons were started anew, so that none is measured with
// empty caches; nothing of it is kept. Returns false if a signal ended it.
bool warm_up(const Experiment& experiment, const Cell& cell, Target& target, const fs::path& folder,
             const std::function<void(const std::string&)>& say) {
  if (experiment.warmup_s <= 0) return true;
  JobFile job = experiment.job;
  apply_job_options(job, cell.settings);
  override_runtime(job, experiment.warmup_s / static_cast<double>(phases_of(job).size()));
  target.settle(say, Start::fresh);
  const fs::path scratch = folder / "warmup";
  make_directories(scratch);
  FioInput input = target.arrange(std::move(job), cell, scratch);
  FioRun run;
  run.job = scratch / "job.fio";
  run.directory = scratch;
  set_environment(input, cell, run);
  run.expected_s = experiment.warmup_s;
  write_file_atomically(run.job, input.job.text());
  const FioOutcome outcome =
      run_fio(run, [](pid_t) { return interrupted() ? FioTick::stop : FioTick::go_on; });
  target.verify(cell, scratch);
  fs::remove_all(scratch);
  if (outcome.stopped) return false;
  if (outcome.status != 0) throw environment_error("the warm-up failed: {}", outcome.error);
  return true;
}

// An incident that an error or a signal cut short, too, is put an end to.
class IncidentEnd {
 public:
  IncidentEnd(Incident* incident, const std::function<void(const std::string&)>& say)
      : incident_(incident), say_(say) {}
  ~IncidentEnd() {
    try {
      if (incident_) incident_->end();
    } catch (const std::exception& e) {
      say_(e.what());
    }
  }
  IncidentEnd(const IncidentEnd&) = delete;
  IncidentEnd& operator=(const IncidentEnd&) = delete;

 private:
  Incident* incident_;
  const std::function<void(const std::string&)>& say_;
};

// What an incident goes on with when the job has ended. Returns false if a signal ended it.
bool see_through(Incident& incident, const std::function<void()>& tick) {
  while (incident.step() == Incident::Want::rest) {
    if (interrupted()) return false;
    tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
  return true;
}

// One run in its folder. Returns false if a signal ended it.
bool run_once(const Experiment& experiment, const Cell& cell, World& world, Target& target,
              const fs::path& folder,
              const std::function<void(const std::optional<LiveFigures>&, double)>& tick,
              const std::function<void(const std::string&)>& say, results::RunRecord& record) {
  Stopwatch watch;
  const bool started_anew = bring_about(experiment, cell, world, record);
  record.times_s["apply"] = watch.lap();
  if (started_anew && !warm_up(experiment, cell, target, folder, say)) return false;
  record.times_s["warmup"] = watch.lap();
  const bool goes_on =
      experiment.incident && experiment.incident->goes_on(cell.name) && !started_anew;
  record.marks = experiment.marks;
  for (results::Mark& mark : target.settle(say, goes_on ? Start::going_on : Start::fresh))
    record.marks.push_back(std::move(mark));
  record.times_s["settle"] = watch.lap();

  Incident* incident = experiment.incident;
  JobFile job = experiment.job;
  apply_job_options(job, cell.settings);
  const double expected_s = incident ? incident->fit(job) : run_seconds(job);
  FioInput input = target.arrange(std::move(job), cell, folder);
  FioRun run;
  run.job = folder / "job.fio";
  run.directory = folder;
  set_environment(input, cell, run);
  run.expected_s = expected_s;
  run.eta = input.eta;
  write_file_atomically(run.job, input.job.text());
  record.times_s["apply"] += watch.lap();

  Stopwatch running;
  double elapsed = 0;
  results::LiveLog log(folder);
  witness::HostWitness host;
  std::vector<results::SettingProof> client;
  const IncidentEnd incident_end(incident, say);
  if (incident) incident->begin(folder, cell.name);
  FioOutcome outcome;
  if (!incident || incident->step() == Incident::Want::load)
    outcome = run_fio(run, [&](pid_t fio) {
      target.observe(fio);
      host.observe(fio);
      if (client.empty() && elapsed > kClientStarted_s) client = prove_client(cell.settings, fio);
      elapsed += running.lap();
      const std::optional<LiveFigures> live = run.eta ? read_eta(run) : target.live();
      if (live) log.add({elapsed, live->write_iops, live->read_iops});
      tick(live, elapsed);
      if (interrupted()) return FioTick::stop;
      return incident && incident->step() != Incident::Want::load ? FioTick::enough
                                                                  : FioTick::go_on;
    });
  std::error_code ignored;
  fs::remove(folder / "fio.eta", ignored);
  record.times_s["fio"] = watch.lap();
  if (outcome.stopped) return false;
  if (incident && outcome.status == 0) {
    if (expected_s == 0 && incident->step() == Incident::Want::load)
      throw environment_error(
          "the job ended by itself after {:.0f} s, while its load was needed: see which option of "
          "it ends it, and take that out",
          elapsed);
    if (!see_through(*incident, [&] { tick({}, elapsed); })) return false;
  }

  if (outcome.status != 0) {
    record.ok = false;
    record.error = outcome.error;
  }
  for (results::Mark& mark : host.end()) record.marks.push_back(std::move(mark));
  record.settings = target.verify(cell, folder);
  if (incident) {
    incident->end();
    // It did not put back what the end of all puts back.
    if (interrupted()) return false;
    for (results::Mark& mark : incident->marks()) record.marks.push_back(std::move(mark));
    record.times_s["heal"] = watch.lap();
  }
  // It ended before it could be looked at.
  if (client.empty()) client = prove_client(cell.settings, 0);
  for (results::SettingProof& proof : client) record.settings.push_back(std::move(proof));
  for (results::SettingProof& proof : world.prove(cell))
    record.settings.push_back(std::move(proof));
  for (results::Mark& mark : target.after_run(witness::read_account(folder, record.settings)))
    if (!incident || !incident->brings(mark)) record.marks.push_back(std::move(mark));
  record.osds = target.osd_processes();
  const fs::path json = folder / "fio.json";
  for (results::SettingProof& proof :
       prove_job_options(cell.settings, fs::exists(json) ? read_file(json) : ""))
    record.settings.push_back(std::move(proof));
  // Where it was allowed, the analysis marks what didn't take effect.
  if (std::string text = not_in_effect(record.settings);
      !text.empty() && record.ok && !experiment.allow_invalid) {
    record.ok = false;
    record.error = "not in effect: " + text;
  }
  record.times_s["verify"] = watch.lap();
  return true;
}

}  // namespace

void run_experiment(const Experiment& experiment, World& world, Target& target,
                    results::ResultWriter& writer, Progress& progress, Tally& tally,
                    const AfterRun& after_run, const AfterBlock& after_block) {
  const std::vector<unsigned> finished = writer.finished_runs();
  const std::set<unsigned> skip(finished.begin(), finished.end());
  std::vector<results::PlannedRun> runs = writer.plan().runs;
  // A restart whose runs were cut short by the end of an earlier lab is not the same restart any
  // more.
  std::map<unsigned, unsigned> begun_before;
  for (const results::PlannedRun& run : runs)
    if (run.unit > 0 && skip.contains(run.index)) ++begun_before[run.unit];
  auto unit_of = [&](const results::PlannedRun& run) -> unsigned {
    constexpr unsigned kAgain = 1000000;
    const auto before = begun_before.find(run.unit);
    return run.unit + (before == begun_before.end() ? 0 : kAgain * before->second);
  };
  int failures_in_a_row = 0;
  double mean_run_s = 0;
  size_t at = 0;
  // For this run, if `with_this`, and all after it.
  auto left_s = [&](bool with_this, double elapsed_s) -> std::optional<double> {
    double per_run = mean_run_s > 0 ? mean_run_s : experiment.run_seconds;
    if (per_run <= 0) return {};
    auto left =
        std::count_if(runs.begin() + static_cast<ptrdiff_t>(at) + (with_this ? 0 : 1), runs.end(),
                      [&](const auto& run) { return !skip.contains(run.index); });
    return std::max(0.0, per_run * static_cast<double>(left) - elapsed_s);
  };
  auto end_of_block = [&](unsigned block) {
    if (at + 1 < runs.size() && runs[at + 1].block == block) return;
    after_block(block);
    runs = writer.plan().runs;
  };

  for (; at < runs.size(); ++at) {
    const results::PlannedRun planned = runs[at];
    if (skip.contains(planned.index)) {
      end_of_block(planned.block);
      continue;
    }
    check_interrupt();
    const Cell& cell = find_cell(experiment.cells, planned.cell);
    const RunLabel label{planned.index, runs.size(), cell.name, planned.block};
    Stopwatch whole;
    const fs::path folder = writer.begin_run(planned.index);
    results::RunRecord record;
    record.index = planned.index;
    record.cell = cell.name;
    record.started = utc_now();
    record.fsid = target.fsid();
    record.unit = unit_of(planned);
    bool complete = false;
    try {
      complete = run_once(
          experiment, cell, world, target, folder,
          [&](const std::optional<LiveFigures>& live, double elapsed) {
            progress.running(label, live, elapsed, left_s(true, elapsed));
          },
          [&](const std::string& text) { progress.say(text); }, record);
    } catch (const Error& e) {
      if (e.status() == Exit::interrupted || e.status() == Exit::not_restored) {
        writer.drop_run();
        throw;
      }
      record.ok = false;
      record.error = e.what();
      complete = true;
    }
    if (!complete) {
      writer.drop_run();
      check_interrupt();
    }
    record.ended = utc_now();
    const double fio_s = record.times_s["fio"];
    const bool ok = record.ok;
    const std::string error = record.error;
    writer.finish_run(std::move(record));
    const std::string figures = after_run(planned.index);

    const double whole_s = whole.lap();
    tally.fio_s += fio_s;
    tally.other_s += whole_s - fio_s;
    ++tally.done;
    mean_run_s += (whole_s - mean_run_s) / static_cast<double>(tally.done);
    progress.finished(label, ok ? figures : "FAILED: " + error, whole_s, left_s(false, 0));
    failures_in_a_row = ok ? 0 : failures_in_a_row + 1;
    if (failures_in_a_row == kFailuresInARow)
      throw environment_error("{} runs in a row failed, the last with: {}", kFailuresInARow, error);
    end_of_block(planned.block);
  }
}

}  // namespace lab
