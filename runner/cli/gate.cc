// lab gate: results held against a policy, go or no-go.
#include "analysis/gate.h"
#include "analysis/policy.h"
#include "analysis/render/decision.h"
#include "runner/base/paths.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace lab::cli {
namespace {

using analysis::Side;

struct GateRequest {
  std::vector<std::string> directories;
  std::string policy;
  std::vector<std::string> cells;
  std::string reference;
  std::string format = "table";
};

// The cells of a directory that are held against another one.
std::vector<std::string> chosen_cells(const Side& side, const analysis::Policy& policy,
                                      const std::vector<std::string>& cells) {
  std::vector<std::string> out;
  if (!cells.empty() || !policy.candidate.empty()) {
    for (const analysis::Candidate& candidate :
         analysis::candidates(side.plan, policy, cells, side.name))
      out.push_back(candidate.cell);
    return out;
  }
  for (const results::Cell& cell : side.plan.cells) out.push_back(cell.name);
  return out;
}

void judge_directory(const Side& side, const analysis::Policy& policy,
                     const std::optional<Side>& reference, const std::vector<std::string>& cells,
                     analysis::Decision& decision) {
  if (side.single_run)
    throw usage_error("{}: one run has no interval to decide on; name its directory or cell",
                      side.name);
  std::vector<std::string> named = cells;
  if (named.empty() && !side.cell.empty()) named = {side.cell};
  if (!reference) return analysis::judge_candidates(side, policy, named, decision);
  for (const std::string& cell : chosen_cells(side, policy, named))
    analysis::judge_gate(analysis::compare(*reference, analysis::of_cell(side, cell)), policy,
                         decision);
}

Exit judge_all(const GateRequest& request) {
  const fs::path path =
      find_shipped("--policy", "policy", request.policy, share_dir() / "jobs" / "policies");
  const analysis::Policy policy = analysis::parse_policy(JsonDocument::load(path));
  std::optional<Side> reference;
  if (!request.reference.empty()) reference = analysis::load_side(request.reference);
  analysis::Decision decision;
  for (const std::string& directory : request.directories)
    judge_directory(analysis::load_side(directory), policy, reference, request.cells, decision);
  analysis::drop_told_elsewhere(decision);
  print(analysis::render_decision(decision, request.format, render_options_for_stdout()));
  if (!decision.valid()) return Exit::not_valid;
  return decision.go() ? Exit::ok : Exit::no_go;
}

}  // namespace

void add_gate(CLI::App& app, Action& action) {
  auto state = std::make_shared<GateRequest>();
  CLI::App* gate = app.add_subcommand(
      "gate",
      "Go or no-go: result directories held against a policy, check by check, the decision in the "
      "last line. Exit status 0 go, 1 no-go, 4 not valid (docs/gate.md).");
  gate->add_option("DIR", state->directories, "result directories (or DIR:CELL, the candidate)")
      ->required();
  gate->add_option("--policy", state->policy,
                   "name of one of jobs/policies/*.json (allocator), or a file")
      ->required();
  gate->add_option("--cell", state->cells,
                   "the candidate, by name or levels (cache=writeback); may be repeated; default: "
                   "what the policy names, else every cell but the baseline")
      ->allow_extra_args(false);
  gate->add_option("--reference", state->reference,
                   "DIR or DIR:CELL to hold candidates against, instead of the baseline of their "
                   "own directory");
  gate->add_option("--format", state->format, "of the decision on stdout")
      ->check(CLI::IsMember(analysis::decision_format_names()))
      ->capture_default_str();
  gate->callback([state, &action] { action = [state] { return judge_all(*state); }; });
}

}  // namespace lab::cli
