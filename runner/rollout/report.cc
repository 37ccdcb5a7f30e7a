#include "runner/rollout/report.h"

#include "analysis/recovery/grid.h"
#include "analysis/render/decision.h"
#include "analysis/render/renderer.h"
#include "results/reader.h"
#include "runner/hosts/find_library.h"
#include "runner/rollout/permanent.h"

namespace lab::rollout {
namespace {

std::string proofs_text(const fs::path& directory) {
  std::string text;
  const results::ResultReader reader = results::ResultReader::load(directory);
  for (const results::FinishedRun& run : reader.runs())
    for (const results::SettingProof& proof : run.record.settings)
      text += fmt::format("- {}: asked {}, in effect {}{}\n", proof.name, proof.asked,
                          proof.effective.empty() ? "unknown" : proof.effective,
                          proof.proof.empty() ? "" : " (" + proof.proof + ")");
  return text;
}

std::string fenced(const std::string& language, const std::string& text) {
  return fmt::format("```{}\n{}```\n", language, text);
}

}  // namespace

std::string report_text(const ReportParts& parts, const analysis::Decision& decision) {
  const Level& from = parts.factor.levels.at(0);
  const Level& to = parts.factor.levels.at(1);
  std::string text = fmt::format("# {}: from {} to {}\n\n**{}**\n\n", parts.factor.title, from.name,
                                 to.name, decision.text());
  text += analysis::render_decision(decision, "markdown") + "\n";
  if (!parts.canary_results.empty())
    text += fmt::format("## One OSD first: {}\n\n{}\n", parts.canary,
                        proofs_text(parts.canary_results));
  if (!parts.volume_results.empty())
    text += "## Volumes\n\n" +
            analysis::make_renderer(analysis::Format::markdown)
                ->render(analysis::load_table(results::ResultReader::load(parts.volume_results))) +
            "\n";
  if (!parts.recovery_results.empty())
    text +=
        "## Recoveries\n\n" +
        analysis::render_grid(
            analysis::recovery_grid(
                analysis::load_recovery_table(results::ResultReader::load(parts.recovery_results)),
                analysis::Format::markdown),
            analysis::Format::markdown) +
        "\n";
  const Permanent permanent =
      make_permanent(to.settings, parts.factor.restarts, hosts::find_library);
  text +=
      "## Making it permanent\n\nEverything is as it was before. By hand, one failure domain at "
      "a time:\n\n" +
      fenced("sh", permanent.by_hand) + "\nWith Ansible:\n\n" + fenced("yaml", permanent.ansible);
  return text;
}

}  // namespace lab::rollout
