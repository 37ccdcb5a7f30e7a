// Resident memory of daemons over time with the phases behind it: a panel that several pictures
// have.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/plot/curves.h"
#include "analysis/plot/layout.h"
#include "analysis/plot/series.h"

namespace lab::analysis {

// What was sampled, reduced to what can be drawn. More daemons than can be told apart are drawn by
// kind: mean, least and most of all OSDs, of all monitors.
struct MemoryCurves {
  size_t daemons = 0;
  bool kinds = false;
  SeriesSampler::Series series;  // bytes
  double bucket_s = 0;
  double end_s = 0;
  double most = 0;  // bytes
  PhaseSpans phases;
  std::vector<LegendEntry> legend;
  std::string warning;  // of lines that could not be read; else empty
};

// VmRSS of the daemons in a folder's samples; none if there are none, or a single moment.
std::optional<MemoryCurves> read_memory_curves(const fs::path& folder);

// Data files, whose names begin with `name`, and the commands that draw into `box` of a picture.
struct MemoryPanel {
  std::vector<std::pair<std::string, std::string>> data;
  std::string body;
};
MemoryPanel memory_panel(const MemoryCurves& curves, const std::string& name, const Box& box,
                         int width, int height);

// The plot command's part that shades every second phase up to `range` on the y axis, with names
// if `named`: to be followed by ", \" and curves.
std::string shade_phases(const std::string& file, const TimeAxis& axis, double range, bool named);
// The data file for it; `width` in pixels is what names have room in.
std::string phases_data(const std::vector<PhaseSpan>& spans, double end_s, int width);

}  // namespace lab::analysis
