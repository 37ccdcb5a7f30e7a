// The staged procedure of a rollout in one command: one OSD first, then volumes, then recoveries,
// old and new alternating, and a decision by policy.
#pragma once

#include <optional>
#include <string>

#include "analysis/gate.h"
#include "runner/experiment/run_command.h"

namespace lab::rollout {

struct ValidateRequest {
  std::string factor;  // a name of jobs/matrices, or a file
  std::string from;    // a level; empty: the factor's baseline
  std::string to;
  std::string policy;     // a name of jobs/policies, or a file
  fs::path job;           // of the volumes
  fs::path recovery_job;  // the load of the recoveries
  int repeat = 8;         // of the volumes
  int recovery_repeat = 4;
  recovery::Request recovery;
  std::string canary = "osd.0";  // the OSD that goes first
  // Of all steps alike: inventory, sandbox_dir, target, runtime_s, seed, warmup_s; the rest is set
  // for each.
  RunRequest common;
};

struct Validation {
  fs::path directory;  // report.md, and the results of each step below it
  analysis::Decision decision;
};

// `options.out`: where the directory is made; with `options.resume` the directory itself, or one
// with unfinished ones of which the newest is taken. None for a dry run, which prints the plan of
// each step. Throws lab::Error for whatever kept it from a decision; what is finished is kept, and
// everything is as it was.
std::optional<Validation> validate(const ValidateRequest& request, const RunOptions& options);

OrderedJson to_json(const ValidateRequest& request);
// Throws lab::Error (Exit::usage) with file and line.
ValidateRequest validate_request_from_json(const JsonDocument& document);

}  // namespace lab::rollout
