#include <fmt/format.h>

#include <algorithm>

#include "analysis/plot/curves.h"
#include "analysis/plot/drawing.h"
#include "analysis/plot/layout.h"
#include "analysis/render/escape.h"
#include "analysis/render/layout.h"
#include "results/memory.h"

namespace lab::analysis {
namespace {

// More daemons than this are drawn by kind: mean, least and most of all OSDs, of all monitors.
constexpr size_t kNamed = 24;
constexpr size_t kMostKinds = 24;
constexpr int kPanelHeight = 350;
constexpr double kMiB = 1 << 20;
constexpr double kGiB = 1 << 30;
constexpr const char* kFile = "memory-over-time.dat";
constexpr const char* kPhases = "memory-over-time-phases.dat";

// "osd" of "osd.12".
std::string kind_of(const std::string& daemon) { return daemon.substr(0, daemon.find('.')); }

SeriesSampler::Series by_kind(const SeriesSampler::Series& daemons) {
  SeriesSampler::Series kinds;
  for (const auto& [daemon, buckets] : daemons) {
    std::string kind = kind_of(daemon);
    if (!kinds.contains(kind) && kinds.size() == kMostKinds) kind = "others";
    std::vector<Bucket>& sum = kinds[kind];
    sum.resize(buckets.size());
    for (size_t i = 0; i < buckets.size(); ++i) sum[i].merge(buckets[i]);
  }
  return kinds;
}

std::vector<LegendEntry> legend_of(const SeriesSampler::Series& series) {
  std::vector<LegendEntry> entries;
  for (const auto& [name, buckets] : series) {
    const size_t i = entries.size();
    entries.push_back({name, series_colour(i), static_cast<int>(i / 8) + 1});
  }
  return entries;
}

std::string plot_command(const std::vector<LegendEntry>& entries, const TimeAxis& axis,
                         bool kinds) {
  std::string plot;
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string colour = rgb(entries[i].colour);
    if (kinds)
      plot += fmt::format(
          ", \\\n  '{}' index {} using ($1/{}):2:4 with filledcurves fs transparent solid 0.18 "
          "noborder lc {}",
          kFile, i, axis.unit_s, colour);
    plot += fmt::format(", \\\n  '{}' index {} using ($1/{}):{} with lines lw 1.5 dt {} lc {}",
                        kFile, i, axis.unit_s, kinds ? 3 : 2, entries[i].dash, colour);
  }
  return plot;
}

// Every second stretch is shaded; each has its name at its upper left corner, as much of it as
// there is room for.
std::string phases_data(const std::vector<PhaseSpan>& spans, double end_s, int width) {
  constexpr double kCharacter = 8;
  std::string out = "# begin in seconds\tend\tshaded\tshort name\tname of the phase\n";
  for (size_t i = 0; i < spans.size(); ++i) {
    const double end = i + 1 < spans.size() ? spans[i + 1].begin_s : spans[i].end_s;
    const auto fits = static_cast<size_t>((end - spans[i].begin_s) / end_s * width / kCharacter);
    const std::string name = one_line(spans[i].name);
    out += fmt::format("{:.3f}\t{:.3f}\t{}\t{}\t{}\n", spans[i].begin_s, end, i % 2,
                       data_text(fits < 3 ? "" : shortened(name, fits, "…")), data_text(name));
  }
  return out;
}

}  // namespace

std::optional<Drawing> draw_memory_over_time(const fs::path& directory) {
  results::MemorySamples samples(directory);
  results::MemorySample sample;
  SeriesSampler sampler;
  PhaseSpans phases;
  while (samples.next(sample)) {
    if (sample.metric != "rss") continue;
    sampler.add(sample.daemon, sample.time_s, static_cast<double>(sample.bytes));
    phases.add(sample.phase, sample.time_s);
  }
  if (sampler.series().empty()) return {};
  const Extent all = extent(sampler.series());
  if (all.end_s <= 0) return {};

  Drawing d;
  d.name = "memory-over-time";
  d.title = "Resident memory of every daemon";
  const size_t daemons = sampler.series().size();
  const bool kinds = daemons > kNamed;
  const SeriesSampler::Series series = kinds ? by_kind(sampler.series()) : sampler.series();
  const std::vector<LegendEntry> entries = legend_of(series);
  d.caption = kinds ? fmt::format(
                          "VmRSS of {} daemons by kind: the mean, and the range from the "
                          "least to the most of any of them; ",
                          daemons)
                    : std::string("VmRSS; ");
  d.caption += fmt::format(
      "of each {:.3g} s the smallest and the largest sample is drawn, so no peak is lost. Shaded: "
      "the phases of the measurement.",
      sampler.bucket_s());
  if (phases.incomplete())
    d.caption += fmt::format(" Only the first {} phases are shown.", PhaseSpans::kMost);
  if (samples.damaged().count > 0)
    d.warnings.push_back(samples.damaged().text(directory / "memory.csv"));

  const bool large = all.most >= kGiB;
  const double unit = large ? kGiB : kMiB;
  std::string data =
      fmt::format("# seconds since the beginning\t{} {}; a curve a {}, parted by two blank lines\n",
                  kinds ? "least, mean and most RSS in" : "RSS in", large ? "GiB" : "MiB",
                  kinds ? "kind of daemon" : "daemon");
  for (const auto& [name, buckets] : series)
    data += fmt::format(
        "# {}\n{}\n\n", data_text(name),
        kinds ? bands(buckets, sampler.bucket_s(), unit, "") : extremes(buckets, unit, ""));
  d.height = kPanelHeight + legend_height(entries, d.width);
  const Box box{70, 16, d.width - 12, kPanelHeight - 62};
  const TimeAxis axis = time_axis(all.end_s);
  // The names of the phases stand above the curves.
  const double range = 1.15 * std::max(all.most, 1.0) / unit;
  d.data.emplace_back(kFile, data);
  d.data.emplace_back(kPhases, phases_data(phases.spans(), all.end_s, box.right - box.left));
  d.body = place(box, d.width, d.height) + axis.commands +
           fmt::format(
               "set yrange [0:{0:.9g}]\nset ytics {1}\nset ylabel '{2}' offset 1.2,0\n"
               "set style fill solid 1 noborder\n"
               "plot '{3}' using ($1/{4}):(0):($1/{4}):($2/{4}):(0):($3*{0:.9g}) with boxxyerror "
               "lc rgb '#eef1f6', \\\n"
               "  '' using ($1/{4}):({0:.9g}):4 with labels left offset 0.4,-0.8 font small "
               "textcolor rgb '#555555'",
               range, linear_tics(range, 6), large ? "GiB" : "MiB", kPhases, axis.unit_s) +
           plot_command(entries, axis, kinds) + "\n";
  const Legend legend = legend_below(entries, "memory-over-time-legend.dat", d.width, kPanelHeight);
  d.data.emplace_back("memory-over-time-legend.dat", legend.data);
  d.body += legend.body;
  return d;
}

}  // namespace lab::analysis
