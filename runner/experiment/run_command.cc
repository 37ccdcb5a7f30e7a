#include "runner/experiment/run_command.h"

#include <fmt/format.h>

#include <cstdio>

#include "analysis/write_tables.h"
#include "results/reader.h"
#include "results/writer.h"
#include "runner/base/interrupt.h"
#include "runner/base/time.h"
#include "runner/experiment/cluster_session.h"
#include "runner/experiment/conditions.h"
#include "runner/experiment/experiment.h"
#include "runner/experiment/prepared.h"
#include "runner/experiment/progress.h"
#include "runner/target/make_target.h"

namespace lab {
namespace {

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Whatever ends the run, what the target has made is removed.
class Finisher {
 public:
  Finisher(Target& target, Progress& progress) : target_(target), progress_(progress) {}
  ~Finisher() {
    try {
      finish();
    } catch (const std::exception& e) {
      progress_.say(fmt::format("could not clean up: {}", e.what()));
    }
  }
  Finisher(const Finisher&) = delete;
  Finisher& operator=(const Finisher&) = delete;
  void finish() {
    if (!done_) target_.finish();
    done_ = true;
  }

 private:
  Target& target_;
  Progress& progress_;
  bool done_ = false;
};

results::Manifest first_manifest(const Prepared& prepared, const std::vector<std::string>& argv) {
  results::Manifest manifest;
  manifest.lab = LAB_VERSION;
  manifest.created = utc_now();
  manifest.command = argv;
  manifest.title = prepared.title;
  manifest.target = prepared.request.target;
  manifest.matrix = prepared.factors;
  manifest.request = to_json(prepared.request);
  manifest.allow_invalid = prepared.objection.has_value();
  manifest.invalid_reason = prepared.objection.value_or("");
  return manifest;
}

TargetSpec target_spec(const Prepared& prepared) {
  const RunRequest& request = prepared.request;
  return {request.target,       prepared.inventory, prepared.span_bytes, request.mark,
          request.destroy_data, request.device,     request.nbd_uri};
}

// `w 1380 r 10900 IOPS`: one run in the few words of a progress line.
std::string figures_of(const analysis::Table& table, unsigned index) {
  for (const analysis::RunFigures& run : table.runs) {
    if (run.record.index != index) continue;
    double write = 0;
    double read = 0;
    for (const analysis::PhaseFigures& phase : run.phases) {
      if (phase.write) write = std::max(write, phase.write->counted_iops);
      if (phase.read) read = std::max(read, phase.read->iops);
    }
    return fmt::format("w {} r {} IOPS", short_count(write), short_count(read));
  }
  return "";
}

}  // namespace

std::optional<analysis::Table> run_command(const RunRequest& request, const RunOptions& options) {
  const fs::path unfinished =
      options.resume ? find_unfinished(options.out, request.job, request.matrix) : fs::path();
  const Prepared prepared = options.resume ? prepare_again(unfinished) : prepare(request);
  if (options.dry_run) {
    fmt::print("{}", describe_plan(prepared));
    return {};
  }
  if (prepared.objection && !prepared.request.allow_invalid)
    throw usage_error("{}\n(--allow-invalid runs it all the same, with every figure marked)",
                      *prepared.objection);
  if (!options.resume) results::ResultWriter::check_root(options.out);

  catch_interrupts();
  Progress progress(stderr, options.terminal);
  auto say = [&](const std::string& text) { progress.say(text); };
  std::optional<ClusterSession> session;
  if (prepared.inventory)
    session.emplace(ClusterSession::open(*prepared.inventory, prepared.request.sandbox_dir, say));
  if (session && options.keep_sandbox) session->keep();

  const std::unique_ptr<Target> target =
      make_target(target_spec(prepared), session ? &session->cluster() : nullptr);
  Finisher finisher(*target, progress);
  target->claim(prepared.job);
  results::ResultWriter writer =
      options.resume
          ? results::ResultWriter::reopen(unfinished)
          : results::ResultWriter::create(options.out, first_manifest(prepared, options.argv),
                                          prepared.plan, prepared.job_text);
  say(fmt::format("results in {}", writer.directory().string()));

  const auto prefill_begin = std::chrono::steady_clock::now();
  writer.append_event("prepare");
  target->prepare([&](const std::string& what, double done) {
    check_interrupt();
    progress.preparing(what, done);
  });
  const double prefill_s = since(prefill_begin);
  results::Manifest manifest = writer.manifest();
  manifest.conditions = conditions_of(prepared, *target);
  manifest.osds = target->osds();
  writer.update_manifest(manifest);
  writer.append_event("prepared", {{"seconds", prefill_s}});

  Experiment experiment{prepared.job, prepared.cells, prepared.run_seconds,
                        prepared.objection.has_value()};
  Tally tally;
  try {
    tally = run_experiment(experiment, *target, writer, progress, [&](unsigned index) {
      return figures_of(analysis::write_tables(writer.directory()), index);
    });
  } catch (const Error& e) {
    throw Error(e.status(),
                fmt::format("{}\nWhat is finished is kept; go on with: lab run --resume --out={}",
                            e.what(), writer.directory().string()));
  }
  finisher.finish();

  results::Overhead overhead = manifest.overhead.value_or(results::Overhead{});
  overhead.sandbox_start_s += session ? session->start_seconds() : 0;
  overhead.prefill_s += prefill_s;
  overhead.fio_s += tally.fio_s;
  overhead.other_s += tally.other_s;
  overhead.other_percent =
      100 * overhead.other_s / std::max(1e-9, overhead.fio_s + overhead.other_s);
  manifest.overhead = overhead;
  writer.update_manifest(manifest);
  writer.append_event("finished");
  analysis::Table table = analysis::write_tables(writer.directory());
  if (session) session->close();
  return table;
}

}  // namespace lab
