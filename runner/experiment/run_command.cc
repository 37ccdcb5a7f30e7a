#include "runner/experiment/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "analysis/soak/summary.h"
#include "analysis/table_noise.h"
#include "analysis/write_tables.h"
#include "results/reader.h"
#include "results/writer.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/base/time.h"
#include "runner/experiment/cluster_session.h"
#include "runner/experiment/conditions.h"
#include "runner/experiment/experiment.h"
#include "runner/experiment/incidents.h"
#include "runner/experiment/plan_record.h"
#include "runner/experiment/prepared.h"
#include "runner/experiment/progress.h"
#include "runner/experiment/repetitions.h"
#include "runner/experiment/tuned_world.h"
#include "runner/target/make_target.h"

namespace lab {
namespace {

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Removes what the target has made and puts the world back; says what could not be, or nothing.
std::string finish(Target& target, World& world) {
  std::vector<std::string> left;
  auto attempt = [&](const char* what, const std::function<void()>& action) {
    try {
      action();
    } catch (const std::exception& e) {
      left.push_back(fmt::format("{}{}", what, e.what()));
    }
  };
  attempt("not put back: ", [&] { target.finish(); });
  attempt("", [&] { world.restore(); });
  return join(left, "\n");
}

results::Manifest first_manifest(const Prepared& prepared, const std::vector<std::string>& argv) {
  results::Manifest manifest;
  manifest.lab = LAB_VERSION;
  manifest.created = utc_now();
  manifest.command = argv;
  manifest.title = prepared.title;
  manifest.target = prepared.request.target;
  manifest.matrix = prepared.factors;
  manifest.procedure = procedure_of(prepared.request);
  RunRequest request = prepared.request;
  // From here on it holds lab's own data: --resume may overwrite it.
  if (!request.device.empty()) request.destroy_data.push_back(request.device);
  manifest.request = to_json(request);
  manifest.allow_invalid = prepared.objection.has_value();
  manifest.invalid_reason = prepared.objection.value_or("");
  return manifest;
}

TargetSpec target_spec(const Prepared& prepared) {
  const RunRequest& request = prepared.request;
  return {request.target,       prepared.inventory, prepared.span_bytes, request.mark,
          request.destroy_data, request.device,     request.nbd_uri};
}

// A production cluster is not disturbed by a slip of the shell's history.
void confirm(const Prepared& prepared, const std::string& fsid, const std::string& confirmed) {
  if (!confirmed.empty() && confirmed != fsid)
    throw usage_error("--confirm-fsid={}: this cluster's fsid is another one", confirmed);
  if (prepared.inventory->cluster_class != ClusterClass::production || !confirmed.empty()) return;
  const std::vector<std::string> actions = disruptive_actions(prepared);
  if (actions.empty()) return;
  throw usage_error(
      "{} is of class production, and this would disturb it: {}. If that is meant, add "
      "--confirm-fsid= with the cluster's fsid (`ceph fsid` tells it); else say \"class\": "
      "\"staging\" or \"sandbox\" in the inventory",
      prepared.inventory->name, join(actions, "; "));
}

bool has_restarts(const Prepared& prepared) {
  return std::any_of(prepared.cells.begin(), prepared.cells.end(),
                     [](const Cell& cell) { return !cell.restart.empty(); });
}

double warmup_s(const Prepared& prepared) {
  return has_restarts(prepared) ? prepared.request.warmup_s : 0;
}

// As the lock and the journal name this lab to others.
std::string command_of(const std::vector<std::string>& argv) { return join(argv, " "); }

// Takes hold of the cluster, or not: a client that may not do that can still measure where
// nothing is to be changed.
void take_cluster(const Prepared& prepared, ClusterSession& session, const RunOptions& options,
                  const ClusterTuning::Say& say, std::optional<ClusterTuning>& tuning) {
  confirm(prepared, session.cluster().fsid(), options.confirmed_fsid);
  try {
    tuning.emplace(session.cluster(), session.driver(), command_of(options.argv), say);
  } catch (const ceph::NotPermitted& e) {
    if (!disruptive_actions(prepared).empty() || fs::exists(journal_path(session.cluster().fsid())))
      throw;
    say(fmt::format("the cluster is not locked against other labs: {}", e.what()));
  }
}

// What holds during all runs.
struct Calm {
  std::string text;  // for people; empty without a cluster
  std::vector<results::Mark> marks;
};

Calm calm_cluster(const Prepared& prepared, ClusterTuning* tuning) {
  if (!prepared.inventory) return {};
  if (tuning) return {tuning->calm(has_restarts(prepared) || prepared.request.recovery), {}};
  const char* text =
      "the client may not lock the cluster against other labs, nor switch off scrubs, balancer and "
      "autoscaler: all of them may have gone on beside the runs";
  return {text, {{results::Weight::doubtful, "not-locked", text}}};
}

std::unique_ptr<World> make_world(ClusterTuning* tuning, const std::vector<Cell>& cells) {
  if (tuning) return std::make_unique<TunedWorld>(*tuning, cells);
  return std::make_unique<UnchangedWorld>();
}

// `w 1380 r 10900 IOPS`: one run in the few words of a progress line.
std::string figures_of(const analysis::Table& table, unsigned index) {
  const analysis::RunFigures* run = table.find_run(index);
  if (!run) return "";
  double write = 0;
  double read = 0;
  for (const analysis::PhaseFigures& phase : run->phases) {
    if (phase.write) write = std::max(write, phase.write->counted_iops);
    if (phase.read) read = std::max(read, phase.read->iops);
  }
  return fmt::format("w {} r {} IOPS", short_count(write), short_count(read));
}

// What is made of all runs together, whatever ended them; no loss if it can't be written.
void finish_results(const Prepared& prepared, const results::ResultWriter& writer) {
  if (!prepared.request.soak) return;
  try {
    analysis::write_soak_summary(writer.directory());
  } catch (const std::exception&) {
    // lab report makes it again.
  }
}

// Brings the summary of a soak up to date about once an hour: it reads all segments.
std::string after_segment(const results::ResultWriter& writer, const analysis::Table& table,
                          unsigned index) {
  constexpr unsigned kSegments = 12;
  if (index % kSegments == 0) analysis::write_soak_summary(writer.directory());
  const analysis::RunFigures* run = table.find_run(index);
  const auto finished = results::ResultReader::load(writer.directory());
  const results::FinishedRun* segment = finished.find(index);
  return run && segment ? analysis::segment_text(segment->folder, *run) : "";
}

void add(results::Overhead& sum, double prefill_s, const Tally& tally) {
  sum.prefill_s += prefill_s;
  sum.fio_s += tally.fio_s;
  sum.other_s += tally.other_s;
  sum.other_percent = 100 * sum.other_s / std::max(1e-9, sum.fio_s + sum.other_s);
}

// Fills, runs what is not finished yet, and keeps the account of time, whatever ends it.
// Returns the table, whose files are up to date.
analysis::Table measure(const Prepared& prepared, Target& target, World& world, Incident* incident,
                        const Calm& calm, results::ResultWriter& writer, double sandbox_start_s,
                        Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  writer.append_event("prepare");
  target.prepare([&](const std::string& what, double done) {
    check_interrupt();
    progress.preparing(what, done);
  });
  const double prefill_s = since(begin);
  results::Manifest manifest = writer.manifest();
  manifest.conditions = conditions_of(prepared, target);
  if (!calm.text.empty()) manifest.conditions.emplace_back("during all runs", calm.text);
  manifest.osds = target.osds();
  writer.update_manifest(manifest);
  writer.append_event("prepared", {{"seconds", prefill_s}});

  const Experiment experiment{prepared.job,
                              prepared.cells,
                              prepared.run_seconds,
                              warmup_s(prepared),
                              prepared.objection.has_value(),
                              calm.marks,
                              incident};
  results::Overhead overhead = manifest.overhead.value_or(results::Overhead{});
  // What earlier calls took, if this one goes on with their measurement, is of the budget, too.
  const double spent_s =
      overhead.sandbox_start_s + overhead.prefill_s + overhead.fio_s + overhead.other_s;
  overhead.sandbox_start_s += sandbox_start_s;
  Tally tally;
  auto account = [&] {
    add(overhead, prefill_s, tally);
    manifest.overhead = overhead;
    writer.update_manifest(manifest);
  };
  analysis::LiveTables tables(writer.directory());
  analysis::Table table;
  auto after_run = [&](unsigned index) {
    table = tables.update();
    if (prepared.request.soak) return after_segment(writer, table, index);
    return figures_of(table, index);
  };
  auto after_block = [&](unsigned block) {
    if (!prepared.request.detect && !prepared.request.budget_s) return;
    Progressed progressed;
    progressed.blocks_done = block;
    progressed.blocks_planned = writer.plan().runs.back().block;
    progressed.cells = prepared.cells.size();
    progressed.elapsed_s = spent_s + sandbox_start_s + since(begin);
    if (tally.done > 0)
      progressed.run_s = (tally.fio_s + tally.other_s) / static_cast<double>(tally.done);
    progressed.noise = analysis::noise_of(table);
    const Decision decision = decide_repetitions(prepared.request, progressed);
    if (decision.blocks != progressed.blocks_planned)
      writer.replan(with_repetitions(writer.plan(), static_cast<int>(decision.blocks)));
    if (decision.text.empty()) return;
    progress.say(decision.text);
    writer.append_event("repetitions", {{"repeat", decision.blocks}, {"reason", decision.text}});
  };
  try {
    run_experiment(experiment, world, target, writer, progress, tally, after_run, after_block);
  } catch (const Error&) {
    account();
    throw;
  }
  account();
  writer.append_event("finished");
  return tables.update();
}

}  // namespace

std::optional<Measured> run_command(const RunRequest& request, const RunOptions& options) {
  const fs::path unfinished = options.resume ? find_unfinished(options.out, request) : fs::path();
  Prepared prepared = options.resume ? prepare_again(unfinished) : prepare(request);
  if (options.dry_run) fmt::print("{}", describe_plan(prepared));
  if (prepared.objection && !prepared.request.allow_invalid)
    throw usage_error("{}\n(--allow-invalid runs it all the same, with every figure marked)",
                      *prepared.objection);
  if (options.dry_run) return {};

  catch_interrupts();
  const std::string procedure = procedure_of(prepared.request);
  Progress progress(stderr, options.terminal);
  auto say = [&](const std::string& text) { progress.say(text); };
  std::optional<results::ResultWriter> writer;
  // Its lock comes first: what is to be resumed may be running still.
  if (options.resume)
    writer.emplace(results::ResultWriter::reopen(unfinished));
  else
    results::ResultWriter::check_root(options.out);
  std::optional<ClusterSession> session;
  if (prepared.inventory)
    session.emplace(ClusterSession::open(*prepared.inventory, prepared.request.sandbox_dir,
                                         options.keep_sandbox, say));
  std::optional<ClusterTuning> tuning;
  if (session) take_cluster(prepared, *session, options, say, tuning);
  if (tuning && !options.resume) leave_out(prepared, read_facts(*tuning));
  const std::unique_ptr<World> world = make_world(tuning ? &*tuning : nullptr, prepared.cells);
  const std::unique_ptr<Target> target =
      make_target(target_spec(prepared), session ? &session->cluster() : nullptr);
  const std::unique_ptr<Incident> incident =
      prepared.inventory
          ? make_incident(prepared.request, *prepared.inventory, tuning ? &*tuning : nullptr, say)
          : nullptr;
  analysis::Table table;
  try {
    target->claim(prepared.job);
    if (!writer)
      writer.emplace(results::ResultWriter::create(
          options.out, first_manifest(prepared, options.argv), prepared.plan, prepared.job_text));
    say(fmt::format("results in {}", writer->directory().string()));
    const Calm calm = calm_cluster(prepared, tuning ? &*tuning : nullptr);
    table = measure(prepared, *target, *world, incident.get(), calm, *writer,
                    session ? session->start_seconds() : 0, progress);
  } catch (const std::exception& e) {
    std::string text = e.what();
    if (writer)
      text += fmt::format("\nWhat is finished is kept; go on with: lab {} --resume --out={}",
                          procedure.empty() ? "run" : procedure, writer->directory().string());
    if (writer) finish_results(prepared, *writer);
    const auto* error = dynamic_cast<const Error*>(&e);
    Exit status = error ? error->status() : Exit::environment;
    if (const std::string left = finish(*target, *world); !left.empty()) {
      text += "\n" + left;
      status = Exit::not_restored;
    }
    throw Error(status, text);
  }
  if (const std::string left = finish(*target, *world); !left.empty())
    throw Error(Exit::not_restored, left);
  finish_results(prepared, *writer);
  tuning.reset();
  if (session) session->close();
  return Measured{std::move(table), writer->directory()};
}

}  // namespace lab
