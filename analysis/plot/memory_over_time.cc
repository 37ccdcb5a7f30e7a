#include <fmt/format.h>

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"
#include "analysis/plot/series.h"
#include "results/memory.h"

namespace lab::analysis {
namespace {

// More daemons than this are drawn in one colour, without a key: it would be larger than
// the picture.
constexpr size_t kNamed = 24;

// The two extremes of every bucket, in the order in which they were seen.
std::string points(const std::vector<Bucket>& buckets) {
  std::string out;
  auto point = [&](double time_s, double bytes) {
    out += fmt::format("{:.3f}\t{:.6g}\n", time_s, bytes / (1 << 20));
  };
  for (const Bucket& bucket : buckets) {
    if (!bucket.used) continue;
    if (bucket.min_time_s == bucket.max_time_s) {
      point(bucket.min_time_s, bucket.max);
    } else if (bucket.min_time_s < bucket.max_time_s) {
      point(bucket.min_time_s, bucket.min);
      point(bucket.max_time_s, bucket.max);
    } else {
      point(bucket.max_time_s, bucket.max);
      point(bucket.min_time_s, bucket.min);
    }
  }
  return out;
}

// Stretches behind the curves, every second one shaded, each with its name.
std::string shades(const std::vector<PhaseSpan>& spans) {
  std::string out;
  for (size_t i = 0; i < spans.size(); ++i) {
    const PhaseSpan& span = spans[i];
    if (span.name.empty()) continue;
    out += fmt::format(
        "set object {0} rectangle from {1},graph 0 to {2},graph 1 behind fillstyle solid noborder "
        "fillcolor rgb '{3}'\n"
        "set label {0} {4} at {1},graph 0.97 offset 0.3,0 font ',10' textcolor rgb '#555555'\n",
        i + 1, span.begin_s, i + 1 < spans.size() ? spans[i + 1].begin_s : span.end_s,
        i % 2 == 0 ? "#f3f3f3" : "#e3ebf3", gnuplot_text(span.name));
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
    if (sample.metric != "rss" || sample.time_s < 0) continue;
    sampler.add(sample.daemon, sample.time_s, static_cast<double>(sample.bytes));
    phases.add(sample.phase, sample.time_s);
  }
  if (sampler.series().empty()) return {};

  Drawing d;
  d.name = "memory-over-time";
  d.title = "Resident memory of every daemon";
  d.caption = fmt::format(
      "VmRSS. Each stretch of {:g} s is drawn by its smallest and its largest sample: no peak is "
      "lost. Shaded: the phases of the measurement.",
      sampler.bucket_s());
  if (samples.damaged() > 0)
    d.caption += fmt::format(" {} lines of memory.csv could not be read, the first is line {}.",
                             samples.damaged(), samples.first_damaged_line());
  std::string data = "# seconds since the beginning\tRSS in MiB; a block a daemon\n";
  std::string plots;
  const bool named = sampler.series().size() <= kNamed;
  size_t index = 0;
  for (const auto& [daemon, buckets] : sampler.series()) {
    data += fmt::format("# {}\n{}\n\n", gnuplot_text(daemon), points(buckets));
    plots += fmt::format(
        "{}'memory-over-time.dat' index {} using 1:2 with lines lw 1.3 dt {} lc "
        "rgb '{}' {}",
        index == 0 ? "plot " : ", \\\n  ", index, named ? 1 + index / 8 : 1,
        series_colour(named ? index : 0),
        named ? "title " + gnuplot_text(daemon) : std::string("notitle"));
    ++index;
  }
  d.data.emplace_back("memory-over-time.dat", data);
  d.height = static_cast<int>(std::max<size_t>(400, named ? 60 + 18 * index : 0));
  d.body =
      "set key outside right top Left reverse\nset xlabel 's'\nset ylabel 'MiB'\nset yrange "
      "[0:*]\n" +
      shades(phases.spans()) + plots + "\n";
  return d;
}

}  // namespace lab::analysis
