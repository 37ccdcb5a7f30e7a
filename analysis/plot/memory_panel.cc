#include "analysis/plot/memory_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/render/escape.h"
#include "analysis/render/layout.h"
#include "results/samples.h"

namespace lab::analysis {
namespace {

constexpr size_t kNamed = 24;
constexpr size_t kMostKinds = 24;
constexpr double kMiB = 1 << 20;
constexpr double kGiB = 1 << 30;

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

std::string plot_command(const std::vector<LegendEntry>& entries, const std::string& file,
                         const TimeAxis& axis, bool kinds) {
  std::string plot;
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string colour = rgb(entries[i].colour);
    if (kinds)
      plot += fmt::format(
          ", \\\n  '{}' index {} using ($1/{}):2:4 with filledcurves fs transparent solid 0.18 "
          "noborder lc {}",
          file, i, axis.unit_s, colour);
    plot += fmt::format(", \\\n  '{}' index {} using ($1/{}):{} with lines lw 1.5 dt {} lc {}",
                        file, i, axis.unit_s, kinds ? 3 : 2, entries[i].dash, colour);
  }
  return plot;
}

}  // namespace

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

std::string shade_phases(const std::string& file, const TimeAxis& axis, double range, bool named) {
  std::string plot = fmt::format(
      "plot '{0}' using ($1/{1}):(0):($1/{1}):($2/{1}):(0):($3*{2:.9g}) with boxxyerror lc rgb "
      "'#eef1f6'",
      file, axis.unit_s, range);
  if (named)
    plot += fmt::format(
        ", \\\n  '' using ($1/{}):({:.9g}):4 with labels left offset 0.4,-0.8 font small "
        "textcolor rgb '#555555'",
        axis.unit_s, range);
  return plot;
}

std::optional<MemoryCurves> read_memory_curves(const fs::path& folder) {
  results::Samples samples(folder);
  results::Sample sample;
  SeriesSampler sampler;
  MemoryCurves curves;
  while (samples.next(sample)) {
    if (sample.metric != "rss") continue;
    sampler.add(sample.daemon, sample.time_s, static_cast<double>(sample.value));
    curves.phases.add(sample.phase, sample.time_s);
  }
  const Extent all = extent(sampler.series());
  if (all.end_s <= 0) return {};
  curves.daemons = sampler.series().size();
  curves.kinds = curves.daemons > kNamed;
  curves.series = curves.kinds ? by_kind(sampler.series()) : sampler.series();
  curves.bucket_s = sampler.bucket_s();
  curves.end_s = all.end_s;
  curves.most = all.most;
  curves.legend = legend_of(curves.series);
  if (samples.damaged().count > 0)
    curves.warning = samples.damaged().text(folder / results::kSamplesFile);
  return curves;
}

MemoryPanel memory_panel(const MemoryCurves& curves, const std::string& name, const Box& box,
                         int width, int height) {
  const std::string file = name + ".dat";
  const std::string phases = name + "-phases.dat";
  const bool large = curves.most >= kGiB;
  const double unit = large ? kGiB : kMiB;
  std::string data =
      fmt::format("# seconds since the beginning\t{} {}; a curve a {}, parted by two blank lines\n",
                  curves.kinds ? "least, mean and most RSS in" : "RSS in", large ? "GiB" : "MiB",
                  curves.kinds ? "kind of daemon" : "daemon");
  for (const auto& [series, buckets] : curves.series)
    data += fmt::format(
        "# {}\n{}\n\n", data_text(series),
        curves.kinds ? bands(buckets, curves.bucket_s, unit, "") : extremes(buckets, unit, ""));
  const TimeAxis axis = time_axis(curves.end_s);
  // The names of the phases stand above the curves.
  const double range = 1.15 * std::max(curves.most, 1.0) / unit;
  MemoryPanel panel;
  panel.data = {{file, data},
                {phases, phases_data(curves.phases.spans(), curves.end_s, box.right - box.left)}};
  panel.body = place(box, width, height) + axis.commands +
               fmt::format(
                   "set yrange [0:{:.9g}]\nset ytics {}\nset ylabel '{}' offset 1.2,0\n"
                   "set style fill solid 1 noborder\n",
                   range, linear_tics(range, 6), large ? "GiB" : "MiB") +
               shade_phases(phases, axis, range, true) +
               plot_command(curves.legend, file, axis, curves.kinds) + "\n";
  return panel;
}

}  // namespace lab::analysis
