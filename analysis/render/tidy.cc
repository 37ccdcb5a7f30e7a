#include <fmt/format.h>

#include "analysis/render/csv.h"
#include "analysis/render/renderer.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

struct Metric {
  const char* name;
  const char* unit;
  std::optional<double> value;
};

std::optional<double> ms(std::optional<uint64_t> ns) {
  return ns ? std::optional(static_cast<double>(*ns) / 1e6) : std::nullopt;
}

std::vector<Metric> metrics(const DirectionFigures& d) {
  return {{"ios", "1", static_cast<double>(d.ios)},
          {"bytes", "B", static_cast<double>(d.bytes)},
          {"runtime", "s", d.runtime_s},
          {"iops", "1/s", d.iops},
          {"bandwidth", "B/s", d.bytes_per_s},
          {"clat_mean", "ms", d.clat_mean_ns / 1e6},
          {"clat_p50", "ms", ms(d.clat_percentiles.p50_ns)},
          {"clat_p95", "ms", ms(d.clat_percentiles.p95_ns)},
          {"clat_p99", "ms", ms(d.clat_percentiles.p99_ns)},
          {"clat_p99.9", "ms", ms(d.clat_percentiles.p999_ns)}};
}

class Lines {
 public:
  explicit Lines(const Table& table) : table_(table) {
    Record header = {{"run"}, {"cell"}};
    for (const std::string& factor : table.factors) header.push_back({"factor_" + factor});
    for (const char* name : {"block", "position", "phase", "direction", "metric", "unit", "value"})
      header.push_back({name});
    text_ = csv_record(header);
  }

  void add(const results::RunRecord& run, const std::string& phase, const char* direction,
           const Metric& metric) {
    if (!metric.value) return;
    Record record = {{fmt::format("{}", run.index), true}, {run.cell}};
    for (const std::string& factor : table_.factors) record.push_back({level(run.cell, factor)});
    record.push_back({fmt::format("{}", run.block), true});
    record.push_back({fmt::format("{}", run.position), true});
    record.push_back({phase});
    record.push_back({direction});
    record.push_back({metric.name});
    record.push_back({metric.unit});
    record.push_back({fmt::format("{:.9g}", *metric.value), true});
    // Counters are whole numbers of any length, and %g would round them.
    if (*metric.value == static_cast<double>(static_cast<int64_t>(*metric.value)))
      record.back().text = fmt::format("{:.0f}", *metric.value);
    text_ += csv_record(record);
  }

  std::string take() { return std::move(text_); }

 private:
  std::string level(const std::string& cell, const std::string& factor) const {
    for (const TableRow& row : table_.rows)
      if (row.plan.cell == cell) return results::level_of(row.levels, factor);
    return "";
  }

  const Table& table_;
  std::string text_;
};

}  // namespace

std::string TidyRenderer::render(const Table& table) const {
  Lines lines(table);
  for (const RunFigures& run : table.runs) {
    for (size_t p = 0; p < run.phases.size() && p < table.phases.size(); ++p) {
      const PhaseFigures& phase = run.phases[p];
      std::string name = join(table.phases[p].sections, "+");
      if (phase.write) {
        for (const Metric& metric : metrics(*phase.write))
          lines.add(run.record, name, "write", metric);
        lines.add(run.record, name, "write", {"flush", "s", phase.flush_s});
        lines.add(run.record, name, "write", {"iops_with_flush", "1/s", phase.write->counted_iops});
      }
      if (phase.read)
        for (const Metric& metric : metrics(*phase.read))
          lines.add(run.record, name, "read", metric);
    }
  }
  return lines.take();
}

}  // namespace lab::analysis
