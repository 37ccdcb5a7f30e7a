#include "runner/experiment/prepared.h"

#include <algorithm>
#include <set>

#include "results/reader.h"
#include "runner/base/paths.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"
#include "runner/experiment/plan_record.h"
#include "runner/experiment/progress.h"
#include "runner/experiment/repetitions.h"
#include "runner/fio/fio.h"
#include "runner/hosts/find_library.h"
#include "runner/hosts/thread_cache.h"
#include "runner/plan/objection.h"
#include "runner/plan/rewrite.h"
#include "runner/plan/shape.h"
#include "runner/plan/sweep.h"
#include "runner/target/owned_options.h"
#include "runner/tuning/host_board.h"
#include "runner/tuning/surroundings.h"

namespace lab {
namespace {

const std::vector<std::string> kTargets = {"rbd", "rbd-builtin", "block", "nbd"};

bool is_cluster_target(const std::string& target) {
  return target == "rbd" || target == "rbd-builtin";
}

void check_target(const RunRequest& request) {
  if (std::find(kTargets.begin(), kTargets.end(), request.target) == kTargets.end()) {
    std::string text = fmt::format("--target: unknown target \"{}\"", request.target);
    if (auto near = nearest(request.target, kTargets))
      text += fmt::format(" (did you mean \"{}\"?)", *near);
    throw usage_error("{}; known are rbd, rbd-builtin, block, nbd:URI", text);
  }
  if (request.target == "block" && request.device.empty())
    throw usage_error("--target=block needs --device=/dev/…");
  if (request.target != "block" && !request.device.empty())
    throw usage_error("--device goes with --target=block; the target is {}", request.target);
  if (request.target == "nbd" && request.nbd_uri.empty())
    throw usage_error("--target=nbd needs a URI: --target=nbd:nbd+unix:///?socket=/path");
}

fs::path find_job(const fs::path& job) {
  if (fs::is_regular_file(job)) return job;
  if (fs::exists(job)) throw usage_error("{}: is no file; a fio job file is needed", job.string());
  const fs::path shipped = share_dir() / "jobs";
  if (!job.has_parent_path() || job.parent_path() == "jobs") {
    fs::path candidate = shipped / job.filename();
    if (fs::is_regular_file(candidate)) return candidate;
    candidate += ".fio";
    if (fs::is_regular_file(candidate)) return candidate;
  }
  std::vector<std::string> known;
  std::error_code ignored;
  for (const fs::path& place : {job.has_parent_path() ? job.parent_path() : fs::path("."), shipped})
    for (const auto& entry : fs::directory_iterator(place, ignored))
      if (entry.path().extension() == ".fio") known.push_back(entry.path().filename().string());
  std::string text = fmt::format("there is no job file {}", job.string());
  if (auto near = nearest(job.filename().string(), known))
    text += fmt::format(" (did you mean {}?)", *near);
  throw usage_error("{}; shipped ones are in {}", text, shipped.string());
}

// Results tell sections by their names.
void check_names(const JobFile& job) {
  std::set<std::string> seen;
  for (const std::string& name : job.sections())
    if (!seen.insert(name).second)
      throw usage_error("{}: two sections are called [{}]; give each a name of its own", job.name(),
                        name);
}

Prepared from_parts(const RunRequest& request, JobFile job) {
  check_target(request);
  check_names(job);
  Prepared p;
  p.request = request;
  p.title = request.job.stem().string();
  p.job_text = job.text();
  p.job = std::move(job);
  if (is_cluster_target(request.target)) {
    p.inventory = load_inventory(
        request.inventory.empty() ? share_dir() / "inventory" / "sandbox.json" : request.inventory);
    if (p.inventory->size_limit) scale_sizes(p.job, *p.inventory->size_limit);
  }
  if (request.runtime_s) override_runtime(p.job, *request.runtime_s);
  if (rows_of(p.job).empty())
    throw usage_error("{}: no section reads or writes; there is nothing to put into a table",
                      request.job.string());
  std::optional<uint64_t> span = span_bytes(p.job);
  if (!span && p.inventory) span = p.inventory->size_limit;
  if (!span && is_cluster_target(request.target))
    throw usage_error(
        "{}: no size= and no filesize=, and the inventory has no size_limit: how "
        "large is the image to be?",
        request.job.string());
  p.span_bytes = span.value_or(0);
  return p;
}

// More cells than anybody has time for are a slip, and their checks alone would take minutes.
void check_size(const std::vector<Factor>& factors) {
  constexpr size_t kMostCells = 500;
  size_t cells = 1;
  for (const Factor& factor : factors) {
    cells *= factor.levels.size();
    if (cells > kMostCells)
      throw usage_error("--matrix and --sweep cross to more than {} cells; take fewer levels",
                        kMostCells);
  }
}

bool sets_runtime(const Cell& cell) {
  return std::any_of(cell.settings.begin(), cell.settings.end(), [](const Setting& setting) {
    const auto* job = std::get_if<JobOptions>(&setting);
    return job && std::any_of(job->options.begin(), job->options.end(), [](const auto& option) {
             return canonical_option(option.first) == "runtime";
           });
  });
}

// Expected length of a run, as a mean over the cells: a level may change the job's runtime.
double mean_run_seconds(const JobFile& job, const std::vector<Cell>& cells) {
  double sum = 0;
  for (const Cell& cell : cells) {
    JobFile own = job;
    apply_job_options(own, cell.settings);
    const double seconds = run_seconds(own);
    if (seconds <= 0) return 0;
    sum += seconds;
  }
  return sum / static_cast<double>(cells.size());
}

// Of a recovery only what is known before: it takes as long as it takes.
double run_length_s(const Prepared& p) {
  if (p.request.soak) return p.request.soak->segment_s;
  if (!p.request.recovery) return mean_run_seconds(p.job, p.cells);
  const recovery::Request& r = *p.request.recovery;
  return r.baseline_s + r.failure_s + r.clean_s + r.cool_down_s;
}

void check_procedure(const Prepared& p) {
  if (!p.request.recovery && !p.request.soak) return;
  if (!p.inventory)
    throw usage_error("--target={}: it is no cluster, with daemons to follow", p.request.target);
  if (!p.request.recovery) return;
  if (p.request.recovery->load && phases_of(p.job).size() > 1)
    throw usage_error(
        "{}: its sections run one after the other (stonewall), and the load of a recovery goes on "
        "all the time: give a job of one step, as jobs/recovery.fio is",
        p.request.job.string());
}

// The plan of the cells as they are; without load there is nothing of fio's to be in a table.
results::Plan plan_of(const Prepared& p, int repetitions) {
  results::Plan plan = make_plan(p.job, p.cells, repetitions, p.request.seed);
  if (p.request.soak) return one_after_the_other(std::move(plan), repetitions);
  if (p.request.recovery && !p.request.recovery->load) {
    plan.rows.clear();
    plan.phases.clear();
  }
  return plan;
}

void check_owned_options(const std::string& target, const Cell& cell) {
  const std::set<std::string> owned = owned_options(target);
  for (const Setting& setting : cell.settings) {
    const auto* job = std::get_if<JobOptions>(&setting);
    if (!job) continue;
    for (const auto& [option, value] : job->options)
      if (owned.contains(canonical_option(option)))
        throw usage_error(
            "level {}: \"{}\" is set by target {} itself, so that a level can't vary it", cell.name,
            option, target);
  }
}

// What can be told to be wrong before anything is touched.
void check_world_settings(const std::string& target, const Cell& cell) {
  client_environment(cell.settings, "", hosts::find_library);  // its libraries must be there
  for (const Setting& setting : cell.settings) {
    if (changes_world(setting) && !is_cluster_target(target))
      throw usage_error(
          "level {}: \"{}\" changes a cluster or its hosts, and target {} has none that lab could "
          "put "
          "back",
          cell.name, describe(setting), target);
    if (const auto* parameters = std::get_if<KernelParameters>(&setting))
      for (const auto& [name, value] : parameters->parameters)
        if (const auto mistake = sysctl_mistake(name))
          throw usage_error("level {}: {}: {}", cell.name, name, *mistake);
    const auto* environment = std::get_if<ProcessEnvironment>(&setting);
    if (!environment) continue;
    const auto thread_cache = environment->variables.find(hosts::kThreadCacheVariable);
    if (thread_cache == environment->variables.end() || !thread_cache->second) continue;
    if (const auto mistake = hosts::thread_cache_mistake(*thread_cache->second))
      throw usage_error("level {}: {}: {}", cell.name, hosts::kThreadCacheVariable, *mistake);
  }
}

// A misspelt option of a level shows here, not after the data is written.
void check_level_with_fio(JobFile job, const Cell& cell) {
  if (std::none_of(cell.settings.begin(), cell.settings.end(), [](const Setting& setting) {
        return std::holds_alternative<JobOptions>(setting);
      }))
    return;
  apply_job_options(job, cell.settings);
  const TemporaryDirectory scratch;
  write_file_atomically(scratch.path() / "job.fio", job.text());
  try {
    check_job_with_fio(scratch.path() / "job.fio");
  } catch (const Error& e) {
    throw Error(e.status(), fmt::format("level {}: {}", cell.name, e.what()));
  }
}

void take_budget(Prepared& p) {
  const stats::BudgetPlan fitted = fit_budget(p.request, p.job, p.cells.size(), p.span_bytes,
                                              p.inventory && p.inventory->sandbox);
  p.request.runtime_s = fitted.runtime_s;
  p.request.repeat = static_cast<int>(fitted.blocks);
  p.budget_text = fitted.text;
  override_runtime(p.job, fitted.runtime_s);
}

void check_detect(const RunRequest& request, size_t cells) {
  if (!request.detect) return;
  if (cells < 2)
    throw usage_error(
        "--detect: there is one cell only, and nothing to find a difference from; add --matrix, "
        "--sweep or --aa");
  if (request.repeat < kPilotRepetitions)
    throw usage_error("--detect: takes {} repetitions as its pilot; --repeat={} is too few",
                      kPilotRepetitions, request.repeat);
}

int first_repetitions(const RunRequest& request) {
  return request.detect ? kPilotRepetitions : request.repeat;
}

}  // namespace

Prepared prepare(const RunRequest& asked) {
  RunRequest request = asked;
  request.job = find_job(asked.job);
  check_job_with_fio(request.job);
  Prepared p = from_parts(request, JobFile::load(request.job));
  std::vector<Factor> factors = load_matrix(request.matrix, share_dir() / "jobs" / "matrices");
  for (const Factor& factor : factors) {
    if (!factor.acts_on(request.target))
      throw usage_error("--matrix={}: has no effect on target {}; it acts on: {}", factor.name,
                        request.target, join(factor.targets, ", "));
    p.factors.push_back(factor.name);
  }
  for (const std::string& sweep : request.sweep) {
    factors.push_back(parse_sweep(sweep));
    if (std::find(p.factors.begin(), p.factors.end(), factors.back().name) != p.factors.end())
      throw usage_error("--sweep={}: {} is a factor already", sweep, factors.back().name);
    p.factors.push_back(factors.back().name);
  }
  check_size(factors);
  p.cells = cross(factors);
  for (const Cell& cell : p.cells) {
    check_owned_options(request.target, cell);
    check_world_settings(request.target, cell);
    check_level_with_fio(p.job, cell);
    if (sets_runtime(cell) && (request.runtime_s || request.budget_s))
      throw usage_error("level {}: sets the runtime, and so does {}; leave one of them out",
                        cell.name, request.budget_s ? "--budget" : "--runtime");
  }
  if (request.control) p.cells.push_back(control_of(p.cells.front()));
  check_detect(request, p.cells.size());
  p.objection = objection_to(request.target, p.job, p.cells);
  if (request.budget_s) take_budget(p);
  check_procedure(p);
  p.run_seconds = run_length_s(p);
  p.plan = plan_of(p, first_repetitions(p.request));
  for (const Factor& factor : factors)
    if (factor.plausible_ratio) p.plan.factors.push_back({factor.name, factor.plausible_ratio});
  return p;
}

void leave_out(Prepared& p, const DaemonFacts& facts) {
  Applicable applicable = applicable_cells(p.cells, facts);
  if (applicable.left_out.empty()) return;
  p.cells = std::move(applicable.cells);
  p.run_seconds = run_length_s(p);
  std::vector<results::Factor> factors = std::move(p.plan.factors);
  p.plan = plan_of(p, first_repetitions(p.request));
  p.plan.factors = std::move(factors);
  p.plan.left_out = std::move(applicable.left_out);
}

Prepared prepare_again(const fs::path& directory) {
  JsonDocument manifest = JsonDocument::load(directory / "manifest.json");
  const results::Manifest record = results::manifest_from_json(manifest);
  const RunRequest request = request_from_json(manifest, "/request");
  Prepared p = from_parts(request, JobFile::load(directory / "job.fio"));
  p.title = record.title;
  p.factors = record.matrix;
  const JsonDocument plan = JsonDocument::load(directory / "plan.json");
  p.plan = results::plan_from_json(plan);
  for (size_t i = 0; i < p.plan.cells.size(); ++i) {
    const results::Cell& stored = p.plan.cells[i];
    Cell cell;
    cell.name = stored.name;
    cell.label = stored.test;
    cell.control_of = stored.control_of;
    cell.restart = stored.restart;
    for (const auto& [factor, level] : stored.levels) cell.levels[factor] = level;
    for (size_t s = 0; s < stored.settings.size(); ++s)
      cell.settings.push_back(parse_setting(plan, fmt::format("/cells/{}/settings/{}", i, s)));
    p.cells.push_back(std::move(cell));
  }
  p.run_seconds = run_length_s(p);
  p.objection = objection_to(request.target, p.job, p.cells);
  return p;
}

std::string procedure_of(const RunRequest& request) {
  return request.recovery ? "recovery" : request.soak ? "soak" : "";
}

fs::path find_unfinished(const fs::path& root, const RunRequest& request) {
  const fs::path& job = request.job;
  const std::string procedure = procedure_of(request);
  std::vector<fs::path> candidates;
  if (results::is_result_directory(root)) {
    candidates.push_back(root);
  } else {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(root, ignored))
      if (results::is_result_directory(entry.path())) candidates.push_back(entry.path());
    // Names begin with the time.
    std::sort(candidates.rbegin(), candidates.rend());
  }
  for (const fs::path& candidate : candidates) {
    try {
      const results::ResultReader reader = results::ResultReader::load(candidate);
      if (!job.empty() && reader.manifest().title != job.stem().string()) continue;
      if (reader.manifest().procedure != procedure) {
        if (candidate != root) continue;
        throw usage_error(
            "--resume: {} was made by lab {}; go on with that", root.string(),
            reader.manifest().procedure.empty() ? "run" : reader.manifest().procedure);
      }
      size_t done = 0;
      for (const results::FinishedRun& run : reader.runs()) done += run.record.ok ? 1 : 0;
      if (done < reader.plan().runs.size()) return candidate;
    } catch (const Error&) {
      // Another format, or damaged: not what is looked for, unless it was named.
      if (candidate == root) throw;
    }
  }
  throw usage_error("--resume: nothing unfinished{} in {}",
                    job.empty() ? "" : " of " + job.stem().string(), root.string());
}

namespace {

std::string action_of(const recovery::Request& r, size_t times) {
  const std::string osd = r.osd ? fmt::format("osd.{}", *r.osd) : "the last OSD";
  switch (r.method) {
    case recovery::Method::stop:
      return fmt::format("{} is killed and marked out {} times, started and taken in again", osd,
                         times);
    case recovery::Method::out:
      return fmt::format("{} is marked out and taken in again {} times", osd, times);
    case recovery::Method::rebuild:
      return fmt::format("{} is killed, its store destroyed and made anew {} times", osd, times);
    case recovery::Method::host:
      break;
  }
  return fmt::format(
      "all OSDs of {} are killed and marked out {} times, started and taken in again",
      r.host.empty() ? "the host of " + osd : "host " + r.host, times);
}

}  // namespace

std::vector<std::string> disruptive_actions(const Prepared& p) {
  std::vector<std::string> actions;
  if (p.request.recovery) actions.push_back(action_of(*p.request.recovery, p.plan.runs.size()));
  std::set<unsigned> units;
  for (const results::PlannedRun& run : p.plan.runs)
    if (run.unit > 0) units.insert(run.unit);
  std::set<std::string> scopes;
  std::set<std::string> changes;
  for (const Cell& cell : p.cells)
    for (const Setting& setting : cell.settings) {
      if (!changes_world(setting)) continue;
      changes.insert(describe(setting));
      if (const std::string* scope = restarting_scope(setting)) scopes.insert(*scope);
    }
  if (!units.empty())
    actions.push_back(fmt::format(
        "daemons are started anew {} times, one failure domain at a time, with noout{}",
        units.size(),
        scopes.empty() ? "" : fmt::format(" ({})", join({scopes.begin(), scopes.end()}, ", "))));
  actions.insert(actions.end(), changes.begin(), changes.end());
  return actions;
}

std::string describe_plan(const Prepared& p) {
  std::string out = fmt::format("job       {} ({})\n", p.request.job.string(), p.title);
  out += fmt::format("target    {}\n", p.request.target);
  if (p.inventory)
    out += fmt::format("cluster   {} ({}), pool {}\n", p.inventory->name,
                       to_text(p.inventory->cluster_class), p.inventory->pool);
  if (p.objection) out += fmt::format("REFUSED   {}\n", *p.objection);
  if (p.span_bytes > 0) out += fmt::format("size      {}\n", format_bytes(p.span_bytes));
  out += "cells\n";
  for (const Cell& cell : p.cells) {
    std::vector<std::string> settings;
    for (const Setting& setting : cell.settings) settings.push_back(describe(setting));
    out += fmt::format("  {:<24} {}{}\n", cell.name,
                       settings.empty() ? "nothing is changed" : join(settings, "; "),
                       &cell == &p.cells[0] ? "  (baseline)" : "");
  }
  for (const std::string& action : disruptive_actions(p))
    out += fmt::format("changes   {}\n", action);
  if (p.inventory)
    out +=
        "changes   during all runs scrubs, balancer and autoscaler are off; everything is put back "
        "at the end\n";
  if (!p.budget_text.empty()) out += fmt::format("budget    {}\n", p.budget_text);
  if (p.request.detect)
    out += fmt::format(
        "detect    {} repetitions as a pilot, then as many as find a difference of {:.1f}%, at "
        "most {}\n",
        first_repetitions(p.request), 100 * *p.request.detect, p.request.repeat);
  out += fmt::format("order     seed {}\n", p.plan.seed);
  unsigned block = 0;
  for (const results::PlannedRun& run : p.plan.runs) {
    if (run.block != block) {
      block = run.block;
      out += fmt::format("{}  block {}{}:", block == 1 ? "" : "\n", block,
                         run.mirrored ? "" : " (no mirror)");
    }
    out += " " + run.cell;
  }
  out += "\n";
  if (first_repetitions(p.request) % 2 != 0 && !p.request.soak)
    out +=
        "note      an odd --repeat: the last block has no mirror, so drift is not cancelled in "
        "it\n";
  if (p.request.recovery)
    return out +
           fmt::format(
               "duration  {} recoveries, each of {} and the time that the recovery takes, and "
               "as much again until the OSDs have their data back\n",
               p.plan.runs.size(), short_time(p.run_seconds));
  out += p.run_seconds > 0
             ? fmt::format("duration  {} runs of {}: {} in fio, and a few seconds around each\n",
                           p.plan.runs.size(), short_time(p.run_seconds),
                           short_time(p.run_seconds * static_cast<double>(p.plan.runs.size())))
             : fmt::format("duration  {} runs; the job states no runtime\n", p.plan.runs.size());
  return out;
}

}  // namespace lab
