#include <fmt/format.h>

#include "analysis/plot/drawing.h"
#include "analysis/plot/memory_panel.h"

namespace lab::analysis {
namespace {

constexpr int kPanelHeight = 350;

}  // namespace

std::optional<Drawing> draw_memory_over_time(const fs::path& directory) {
  const std::optional<MemoryCurves> curves = read_memory_curves(directory);
  if (!curves) return {};
  Drawing d;
  d.name = "memory-over-time";
  d.title = "Resident memory of every daemon";
  d.caption = curves->kinds ? fmt::format(
                                  "VmRSS of {} daemons by kind: the mean, and the range from the "
                                  "least to the most of any of them; ",
                                  curves->daemons)
                            : std::string("VmRSS; ");
  d.caption += fmt::format(
      "of each {:.3g} s the smallest and the largest sample is drawn, so no peak is lost. Shaded: "
      "the phases of the measurement.",
      curves->bucket_s);
  if (curves->phases.incomplete())
    d.caption += fmt::format(" Only the first {} phases are shown.", PhaseSpans::kMost);
  if (!curves->warning.empty()) d.warnings.push_back(curves->warning);
  d.height = kPanelHeight + legend_height(curves->legend, d.width);
  MemoryPanel panel =
      memory_panel(*curves, d.name, {70, 16, d.width - 12, kPanelHeight - 62}, d.width, d.height);
  d.data = std::move(panel.data);
  d.body = std::move(panel.body);
  const Legend legend =
      legend_below(curves->legend, "memory-over-time-legend.dat", d.width, kPanelHeight);
  d.data.emplace_back("memory-over-time-legend.dat", legend.data);
  d.body += legend.body;
  return d;
}

}  // namespace lab::analysis
