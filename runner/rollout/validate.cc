#include "runner/rollout/validate.h"

#include <algorithm>
#include <functional>

#include "analysis/compare.h"
#include "analysis/policy.h"
#include "results/reader.h"
#include "results/writer.h"
#include "runner/base/paths.h"
#include "runner/base/text.h"
#include "runner/base/time.h"
#include "runner/plan/matrix.h"
#include "runner/rollout/canary.h"
#include "runner/rollout/report.h"

namespace lab::rollout {
namespace {

constexpr const char* kRecord = "validation.json";
constexpr double kCanary_s = 10;

// As lab run takes it.
std::string matrix_of(const std::string& factor, const std::string& from, const std::string& to) {
  return fmt::format("{}={}+{}", factor, from, to);
}

// The factor with its two levels, the old one first.
Factor load_factor(const ValidateRequest& request) {
  const fs::path shipped = share_dir() / "jobs" / "matrices";
  const std::string from = request.from.empty()
                               ? load_matrix(request.factor, shipped).at(0).levels.at(0).name
                               : request.from;
  if (from == request.to)
    throw usage_error("from {} to {}: there is nothing to validate", from, request.to);
  Factor factor = load_matrix(matrix_of(request.factor, from, request.to), shipped).at(0);
  std::stable_partition(factor.levels.begin(), factor.levels.end(),
                        [&](const Level& level) { return level.name == from; });
  return factor;
}

analysis::Policy load_policy(const ValidateRequest& request) {
  return analysis::parse_policy(JsonDocument::load(
      find_shipped("--policy", "policy", request.policy, share_dir() / "jobs" / "policies")));
}

// One step: an experiment of its own below the directory of the validation.
struct Step {
  std::string name;
  RunRequest request;
};

// A file that the user named from where he was, for a --resume from elsewhere; what there is no
// such file of is a name of lab's own.
std::string settled_path(const std::string& name) {
  const bool is_path = name.find('/') != std::string::npos || fs::path(name).has_extension();
  return is_path && fs::is_regular_file(name) ? fs::absolute(name).string() : name;
}

std::vector<Step> steps_of(const ValidateRequest& request, const Factor& factor,
                           const fs::path& directory) {
  std::vector<Step> steps;
  const std::string matrix =
      matrix_of(request.factor, factor.levels.at(0).name, factor.levels.at(1).name);
  const std::vector<Setting> first = canary_settings(factor.levels.at(1).settings, request.canary);
  if (!first.empty()) {
    Step canary{"canary", request.common};
    canary.request.job = request.job;
    canary.request.matrix = (directory / "canary.json").string() + "=canary";
    canary.request.repeat = 1;
    canary.request.runtime_s = kCanary_s;
    steps.push_back(std::move(canary));
  }
  Step volumes{"volumes", request.common};
  volumes.request.job = request.job;
  volumes.request.matrix = matrix;
  volumes.request.repeat = request.repeat;
  steps.push_back(std::move(volumes));
  Step recoveries{"recovery", request.common};
  recoveries.request.job = request.recovery_job;
  recoveries.request.matrix = matrix;
  recoveries.request.repeat = request.recovery_repeat;
  recoveries.request.runtime_s.reset();
  recoveries.request.recovery = request.recovery;
  steps.push_back(std::move(recoveries));
  return steps;
}

// The one result directory of a step; none before it has begun.
std::optional<fs::path> results_of(const fs::path& root) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root, none))
    if (results::is_result_directory(entry.path())) return entry.path();
  return {};
}

bool is_complete(const fs::path& directory) {
  const results::ResultReader reader = results::ResultReader::load(directory);
  return std::all_of(reader.plan().runs.begin(), reader.plan().runs.end(), [&](const auto& run) {
    const results::FinishedRun* finished = reader.find(run.index);
    return finished && finished->record.ok;
  });
}

// Runs what of a step is not done yet. Returns its result directory.
fs::path run_step(const Step& step, const fs::path& directory, const RunOptions& options) {
  const fs::path root = directory / step.name;
  make_directories(root);
  const std::optional<fs::path> begun = results_of(root);
  if (begun && is_complete(*begun)) return *begun;
  RunOptions own = options;
  own.out = begun ? *begun : root;
  own.resume = begun.has_value();
  RunRequest request = step.request;
  if (own.resume) request.job.clear();
  fmt::print(stderr, "validate: {}\n", step.name);
  return run_command(request, own)->directory;
}

void check_canary(const fs::path& directory, const std::string& osd) {
  const results::ResultReader reader = results::ResultReader::load(directory);
  for (const results::FinishedRun& run : reader.runs())
    if (!run.record.ok)
      throw environment_error("the canary {} did not take it, and nothing else was tried: {}", osd,
                              run.record.error);
}

fs::path find_unfinished_validation(const fs::path& root) {
  if (fs::exists(root / kRecord)) return root;
  std::vector<fs::path> candidates;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root, none))
    if (fs::exists(entry.path() / kRecord) && !fs::exists(entry.path() / "report.md"))
      candidates.push_back(entry.path());
  if (candidates.empty())
    throw usage_error("--resume: no unfinished validation in {}", root.string());
  // Names begin with the time.
  return *std::max_element(candidates.begin(), candidates.end());
}

fs::path new_directory(const fs::path& root, const ValidateRequest& request, const Factor& factor) {
  fs::path directory = root / fmt::format("{}-validate-{}-{}-{}",
                                          format_utc_for_name(std::chrono::system_clock::now()),
                                          results::folder_name_piece(factor.name),
                                          results::folder_name_piece(factor.levels.at(0).name),
                                          results::folder_name_piece(factor.levels.at(1).name));
  make_directories(directory);
  write_file_atomically(directory / kRecord, json_text(to_json(request)));
  return directory;
}

}  // namespace

OrderedJson to_json(const ValidateRequest& r) {
  return {{"factor", r.factor},
          {"from", r.from},
          {"to", r.to},
          {"policy", r.policy},
          {"job", r.job.string()},
          {"recovery_job", r.recovery_job.string()},
          {"repeat", r.repeat},
          {"recovery_repeat", r.recovery_repeat},
          {"recovery", recovery::to_json(r.recovery)},
          {"canary", r.canary},
          {"common", to_json(r.common)}};
}

ValidateRequest validate_request_from_json(const JsonDocument& document) {
  JsonObject o(document, "");
  ValidateRequest r;
  r.factor = o.text("factor");
  r.from = o.text("from");
  r.to = o.text("to");
  r.policy = o.text("policy");
  r.job = o.text("job");
  r.recovery_job = o.text("recovery_job");
  r.repeat = static_cast<int>(o.number("repeat"));
  r.recovery_repeat = static_cast<int>(o.number("recovery_repeat"));
  r.recovery = recovery::request_from_json(o.object("recovery"));
  r.canary = o.text("canary");
  r.common = request_from_json(document, o.at("common"));
  return r;
}

std::optional<Validation> validate(const ValidateRequest& asked, const RunOptions& options) {
  ValidateRequest request = asked;
  for (std::string* name : {&request.factor, &request.policy}) *name = settled_path(*name);
  for (fs::path* job : {&request.job, &request.recovery_job}) *job = settled_path(job->string());
  fs::path directory;
  if (options.resume) {
    directory = find_unfinished_validation(options.out);
    request = validate_request_from_json(JsonDocument::load(directory / kRecord));
  }
  const Factor factor = load_factor(request);
  analysis::Policy policy = load_policy(request);
  policy.candidate = {{factor.name, factor.levels.at(1).name}};
  if (directory.empty() && !options.dry_run)
    directory = new_directory(options.out, request, factor);
  const std::vector<Step> steps = steps_of(request, factor, directory);
  if (steps.front().name != "canary")
    fmt::print(stderr, "validate: no OSD goes first: {} changes nothing that is for all OSDs\n",
               factor.levels.at(1).name);
  if (options.dry_run) {
    RunOptions dry = options;
    dry.resume = false;
    for (const Step& step : steps) {
      fmt::print("step      {}\n", step.name);
      if (step.name == "canary")  // its matrix is made when it begins
        fmt::print("changes   {} alone is started anew with {}\n", request.canary,
                   factor.levels.at(1).name);
      else
        run_command(step.request, dry);
    }
    return {};
  }
  write_file_atomically(directory / "canary.json",
                        canary_matrix(canary_settings(factor.levels.at(1).settings, request.canary),
                                      request.canary, factor.levels.at(1).name));
  Validation validation{directory, {}};
  ReportParts parts{factor, request.canary, {}, {}, {}};
  try {
    for (const Step& step : steps) {
      const fs::path results = run_step(step, directory, options);
      if (step.name == "canary") {
        check_canary(results, request.canary);
        parts.canary_results = results;
        continue;
      }
      analysis::judge_candidates(analysis::load_side(results.string()), policy, {},
                                 validation.decision);
      (step.request.recovery ? parts.recovery_results : parts.volume_results) = results;
    }
  } catch (const Error& e) {
    throw Error(e.status(), fmt::format("{}\nGo on with: lab validate --resume --out={}", e.what(),
                                        directory.string()));
  }
  analysis::drop_told_elsewhere(validation.decision);
  write_file_atomically(directory / "report.md", report_text(parts, validation.decision));
  return validation;
}

}  // namespace lab::rollout
