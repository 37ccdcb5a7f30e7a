#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "analysis/plot/drawing.h"
#include "analysis/plot/memory_panel.h"
#include "analysis/recovery/client_log.h"
#include "results/reader.h"
#include "results/recovery.h"
#include "results/writer.h"
#include "runner/base/time.h"

namespace lab::analysis {
namespace {

constexpr int kMemoryHeight = 300;
constexpr int kPanelHeight = 190;
constexpr double kMiB = 1 << 20;

// A curve of a panel: seconds since the beginning, and values.
struct Curve {
  std::string name;
  uint32_t colour = 0;
  std::vector<std::pair<double, double>> points;
};

struct Panel {
  std::string file;
  std::string title;
  std::vector<Curve> curves;

  bool empty() const {
    return std::all_of(curves.begin(), curves.end(),
                       [](const Curve& curve) { return curve.points.size() < 2; });
  }
};

// The order in which curves are named below the picture.
enum : size_t { kWrite, kRead, kRate };
constexpr std::array<const char*, 3> kNames = {"writes", "reads", "recovered"};

// Apart from the colours of daemons.
constexpr std::array<uint32_t, 3> kColours = {0x000000, 0x8a8a8a, 0x4d4d4d};

Curve curve(size_t which) { return {kNames.at(which), kColours.at(which), {}}; }

int64_t begin_ms(const results::RecoveryRecord& record) {
  const std::optional<TimePoint> begin = parse_utc(record.phases.front().begin);
  if (!begin) return 0;
  return std::chrono::duration_cast<std::chrono::milliseconds>(begin->time_since_epoch()).count();
}

// What clients got in each second, all jobs together.
void client_panels(const fs::path& folder, const results::RecoveryRecord& record, Panel& iops,
                   Panel& p99) {
  std::map<std::pair<int64_t, bool>, std::vector<Histogram::Bin>> seconds;
  results::DamagedLines damaged;
  const int64_t begin = begin_ms(record);
  read_client_logs(
      folder,
      [&](const ClientSample& sample) {
        auto& bins = seconds[{(sample.at_ms - begin) / 1000, sample.write}];
        bins.insert(bins.end(), sample.bins.begin(), sample.bins.end());
      },
      damaged);
  iops = {"recovery-iops.dat", "IOPS", {curve(kWrite), curve(kRead)}};
  p99 = {"recovery-p99.dat", "p99 ms", {curve(kWrite), curve(kRead)}};
  for (auto& [key, bins] : seconds) {
    const Histogram second = Histogram::of(std::move(bins));
    const size_t which = key.second ? kWrite : kRead;
    const auto at = static_cast<double>(key.first);
    iops.curves[which].points.emplace_back(at, static_cast<double>(second.total()));
    p99.curves[which].points.emplace_back(at, second.percentile_ms(99).value_or(0));
  }
}

// What was recovered from one look at the cluster to the next.
Panel rate_panel(const fs::path& folder) {
  Panel panel{"recovery-rate.dat", "MiB/s", {curve(kRate)}};
  results::RecoveryPoints points(folder);
  results::RecoveryPoint point;
  std::optional<results::RecoveryPoint> last;
  while (points.next(point)) {
    if (last && point.time_s > last->time_s)
      panel.curves[0].points.emplace_back(
          point.time_s,
          static_cast<double>(point.recovered_bytes -
                              std::min(last->recovered_bytes, point.recovered_bytes)) /
              kMiB / (point.time_s - last->time_s));
    last = point;
  }
  return panel;
}

std::string data_of(const Panel& panel) {
  std::string data = fmt::format(
      "# seconds since the beginning\t{}; a curve each, parted by two "
      "blank lines\n",
      panel.title);
  for (const Curve& curve : panel.curves) {
    data += fmt::format("# {}\n", data_text(curve.name));
    for (const auto& [at, value] : curve.points) data += fmt::format("{:.3f}\t{:.6g}\n", at, value);
    data += "\n\n";
  }
  return data;
}

double most_of(const Panel& panel) {
  double most = 0;
  for (const Curve& curve : panel.curves)
    for (const auto& [unused, value] : curve.points) most = std::max(most, value);
  return most;
}

std::string body_of(const Panel& panel, const TimeAxis& axis, const std::string& phases,
                    const Box& box, int width, int height) {
  const double range = 1.08 * std::max(most_of(panel), 1e-9);
  std::string body = place(box, width, height) + axis.commands +
                     fmt::format(
                         "set yrange [0:{:.9g}]\nset ytics {}\nset ylabel '{}' offset 1.2,0\n"
                         "set style fill solid 1 noborder\n",
                         range, linear_tics(range, 4), panel.title) +
                     shade_phases(phases, axis, range, false);
  for (size_t i = 0; i < panel.curves.size(); ++i)
    if (!panel.curves[i].points.empty())
      body += fmt::format(", \\\n  '{}' index {} using ($1/{}):2 with lines lw 1.5 lc {}",
                          panel.file, i, axis.unit_s, rgb(panel.curves[i].colour));
  return body + "\n";
}

std::optional<Drawing> draw_run(const fs::path& folder, const std::string& cell,
                                const std::string& label, unsigned run) {
  const auto record = results::load_recovery(folder);
  const std::optional<MemoryCurves> curves = read_memory_curves(folder);
  if (!record || record->phases.empty() || !curves) return {};
  Panel iops, p99;
  client_panels(folder, *record, iops, p99);
  std::vector<Panel> panels;
  for (Panel panel : {std::move(iops), std::move(p99), rate_panel(folder)})
    if (!panel.empty()) panels.push_back(std::move(panel));

  Drawing d;
  d.name = "recovery-" + cell;
  d.title = fmt::format("Recovery of {}, run {}", label, run);
  d.caption =
      "Resident memory of every daemon (VmRSS; no peak is lost), and below it what clients got in "
      "each second, IOPS and p99, and what the placement groups recovered. Shaded: every second "
      "phase.";
  if (!curves->warning.empty()) d.warnings.push_back(curves->warning);
  std::vector<LegendEntry> legend = curves->legend;
  std::set<std::string> named;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves)
      if (!curve.points.empty() && named.insert(curve.name).second)
        legend.push_back({curve.name, curve.colour, 1});
  const int panels_height = kMemoryHeight + kPanelHeight * static_cast<int>(panels.size());
  d.height = panels_height + legend_height(legend, d.width);
  const std::string memory = d.name + "-memory";
  MemoryPanel top =
      memory_panel(*curves, memory, {80, 16, d.width - 12, kMemoryHeight - 50}, d.width, d.height);
  d.data = std::move(top.data);
  d.body = std::move(top.body);
  const TimeAxis axis = time_axis(curves->end_s);
  int at = kMemoryHeight;
  for (Panel& panel : panels) {
    panel.file = d.name + panel.file.substr(std::string("recovery").size());
    d.data.emplace_back(panel.file, data_of(panel));
    d.body += body_of(panel, axis, memory + "-phases.dat",
                      {80, at + 8, d.width - 12, at + kPanelHeight - 50}, d.width, d.height);
    at += kPanelHeight;
  }
  const Legend below = legend_below(legend, d.name + "-legend.dat", d.width, panels_height);
  d.data.emplace_back(d.name + "-legend.dat", below.data);
  d.body += below.body;
  return d;
}

}  // namespace

std::vector<Drawing> draw_recoveries(const fs::path& directory) {
  std::vector<Drawing> drawings;
  const results::ResultReader reader = results::ResultReader::load(directory);
  for (const results::Cell& cell : reader.plan().cells)
    for (const results::FinishedRun& run : reader.runs()) {
      if (!run.record.ok || run.record.cell != cell.name) continue;
      if (auto drawing = draw_run(run.folder, results::folder_name_piece(cell.name), cell.test,
                                  run.record.index)) {
        drawings.push_back(std::move(*drawing));
        break;
      }
    }
  return drawings;
}

}  // namespace lab::analysis
