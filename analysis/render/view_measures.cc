#include "analysis/render/view_measures.h"

#include <algorithm>

#include "analysis/io_direction.h"
#include "analysis/render/wording.h"
#include "analysis/row_processes.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// I/Os of a direction, over the repetitions of the row.
uint64_t ios(const Table& table, const TableRow& row, const IoDirection& direction) {
  uint64_t sum = 0;
  for (const Repetition& repetition : row.repetitions)
    if (const RunFigures* run = table.find_run(repetition.run))
      if (const DirectionFigures* figures = figures_of(*run, row.plan, direction))
        sum += figures->ios;
  return sum;
}

std::string ratio_text(uint64_t reads, uint64_t writes) {
  auto rounded = [](uint64_t more, uint64_t less) {
    std::string text = fmt::format("{:.1f}", static_cast<double>(more) / static_cast<double>(less));
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  };
  if (reads == 0 && writes == 0) return "-";
  if (reads == 0) return "0:1";
  if (writes == 0) return "1:0";
  return reads >= writes ? rounded(reads, writes) + ":1" : "1:" + rounded(writes, reads);
}

std::optional<double> operations(const Entry& entry) {
  const auto& write = entry.row->write.iops;
  const auto& read = entry.row->read.iops;
  if ((entry.write && !write) || (entry.read && !read)) return {};
  return (entry.write ? *write : 0) + (entry.read ? *read : 0);
}

// "218/714", in µs; "-" for what the row does not do.
std::string latency_us(const Summary& summary, bool shown) {
  if (!shown || !summary.mean_ms) return "-";
  auto text = [](std::optional<double> ms) {
    return ms ? fmt::format("{:.{}f}", *ms * 1000, *ms * 1000 < 10 ? 1 : 0) : std::string("-");
  };
  return text(summary.mean_ms) + "/" + text(summary.p99_ms);
}

std::string latency_ms(const Summary& summary) {
  if (!summary.mean_ms) return "-";
  return latency_text(summary.mean_ms) + "/" + latency_text(summary.p99_ms);
}

std::optional<double> when(bool shown, std::optional<double> value, double factor = 1) {
  return shown && value ? std::optional(*value * factor) : std::nullopt;
}

bool has_processes(const Table& table) {
  return std::any_of(table.runs.begin(), table.runs.end(),
                     [](const RunFigures& run) { return !run.record.osds.empty(); });
}

std::string mib_text(std::optional<double> bytes) {
  return bytes ? fmt::format("{:.0f}", *bytes / (1 << 20)) : "-";
}

// Pairs sort by their writes, or by their reads where nothing is written.
std::optional<double> first_of(std::optional<double> write, std::optional<double> read) {
  return write ? write : read;
}

}  // namespace

std::vector<Measure> measures_for_people(const Table& table, View view) {
  std::vector<Measure> all;
  auto add = [&](const char* title, bool right, auto text, auto sort_by) {
    all.push_back({title, right, [text, sort_by](const Entry& e) {
                     return Field{text(e), false, sort_by(e)};
                   }});
  };
  switch (view) {
    case View::iops:
    case View::factors:
      add(
          "w/r IOPS", false, [](const Entry& e) { return iops_text(*e.row); },
          [](const Entry& e) { return first_of(e.row->write.iops, e.row->read.iops); });
      add(
          "vs base %", true, [](const Entry& e) { return difference_text(*e.row); },
          [](const Entry& e) {
            if (e.row->baseline) return std::optional(0.0);
            return first_of(e.row->write.difference_percent, e.row->read.difference_percent);
          });
      break;
    case View::latency:
      add(
          "w avg/p99 ms", true, [](const Entry& e) { return latency_ms(e.row->write); },
          [](const Entry& e) { return e.row->write.mean_ms; });
      add(
          "r avg/p99 ms", true, [](const Entry& e) { return latency_ms(e.row->read); },
          [](const Entry& e) { return e.row->read.mean_ms; });
      break;
    case View::ratio:
      add(
          "ops/s", true, [](const Entry& e) { return number_text(operations(e), 0); }, operations);
      add(
          "read avg/p99 µs", true, [](const Entry& e) { return latency_us(e.row->read, e.read); },
          [](const Entry& e) { return when(e.read, e.row->read.mean_ms); });
      add(
          "write avg/p99 µs", true,
          [](const Entry& e) { return latency_us(e.row->write, e.write); },
          [](const Entry& e) { return when(e.write, e.row->write.mean_ms); });
      break;
  }
  if (view == View::factors && has_processes(table)) {
    add(
        "thread cache", true,
        [&table](const Entry& e) {
          const auto bytes = row_processes(table, *e.row).thread_cache_bytes;
          return bytes ? format_bytes(static_cast<uint64_t>(*bytes)) : std::string("-");
        },
        [&table](const Entry& e) { return row_processes(table, *e.row).thread_cache_bytes; });
    add(
        "OSD RSS end/peak MiB", true,
        [&table](const Entry& e) {
          const RowProcesses processes = row_processes(table, *e.row);
          return mib_text(processes.mean_rss) + "/" + mib_text(processes.peak_rss);
        },
        [&table](const Entry& e) { return row_processes(table, *e.row).mean_rss; });
  }
  if (view == View::factors)
    add(
        "CSV row", true, [](const Entry& e) { return fmt::format("{}", e.row->plan.row); },
        [](const Entry& e) { return std::optional<double>(e.row->plan.row); });
  all.push_back({"marks", false, [&table](const Entry& e) {
                   return Field{marks_text(table, e.row->marks), false, {}, e.row->marks};
                 }});
  return all;
}

std::vector<Measure> measures_for_spreadsheets(const Table& table, View view) {
  std::vector<Measure> all;
  auto add = [&](const char* title, auto field) { all.push_back({title, true, field}); };
  switch (view) {
    case View::iops:
    case View::factors:
      add("w_iops", [](const Entry& e) { return number_field(e.row->write.iops, 2); });
      add("r_iops", [](const Entry& e) { return number_field(e.row->read.iops, 2); });
      add("w_difference_percent",
          [](const Entry& e) { return number_field(e.row->write.difference_percent, 2); });
      add("r_difference_percent",
          [](const Entry& e) { return number_field(e.row->read.difference_percent, 2); });
      break;
    case View::latency:
      add("w_mean_ms", [](const Entry& e) { return number_field(e.row->write.mean_ms, 4); });
      add("w_p99_ms", [](const Entry& e) { return number_field(e.row->write.p99_ms, 4); });
      add("r_mean_ms", [](const Entry& e) { return number_field(e.row->read.mean_ms, 4); });
      add("r_p99_ms", [](const Entry& e) { return number_field(e.row->read.p99_ms, 4); });
      break;
    case View::ratio:
      add("ops_per_s", [](const Entry& e) { return number_field(operations(e), 2); });
      add("read_mean_us",
          [](const Entry& e) { return number_field(when(e.read, e.row->read.mean_ms, 1000), 1); });
      add("read_p99_us",
          [](const Entry& e) { return number_field(when(e.read, e.row->read.p99_ms, 1000), 1); });
      add("write_mean_us", [](const Entry& e) {
        return number_field(when(e.write, e.row->write.mean_ms, 1000), 1);
      });
      add("write_p99_us",
          [](const Entry& e) { return number_field(when(e.write, e.row->write.p99_ms, 1000), 1); });
      break;
  }
  if (view == View::factors && has_processes(table)) {
    add("thread_cache_bytes", [&table](const Entry& e) {
      return number_field(row_processes(table, *e.row).thread_cache_bytes, 0);
    });
    add("osd_mean_rss_bytes", [&table](const Entry& e) {
      return number_field(row_processes(table, *e.row).mean_rss, 0);
    });
    add("osd_peak_rss_bytes", [&table](const Entry& e) {
      return number_field(row_processes(table, *e.row).peak_rss, 0);
    });
  }
  add("csv_row", [](const Entry& e) { return count_field(e.row->plan.row); });
  add("worst_mark", [&table](const Entry& e) {
    const auto worst = worst_mark(table, *e.row);
    return Field{worst ? std::string(to_text(*worst)) : ""};
  });
  return all;
}

std::string ratio_of(const Table& table, const Entry& entry) {
  const TableRow& row = *entry.row;
  return ratio_text(entry.read ? ios(table, row, kRead) : 0,
                    entry.write ? ios(table, row, kWrite) : 0);
}

}  // namespace lab::analysis
