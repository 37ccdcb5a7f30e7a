#include "analysis/render/wide.h"

#include <fmt/format.h>

#include <functional>

#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

struct WideColumn {
  std::string name;
  std::function<Field(const TableRow&)> field;
};

Field interval_end(const Summary& summary, bool high) {
  if (!summary.judgement) return {"", true};
  const stats::Interval& interval = summary.judgement->interval95;
  return number_field(((high ? interval.high : interval.low) - 1) * 100, 2);
}

std::string status(const TableRow& row) {
  if (row.pending()) return row.repetitions.empty() ? "pending" : "partial";
  return row.repetitions.empty() ? "failed" : "done";
}

std::string marks_in_full(const Table& table, const TableRow& row) {
  std::vector<std::string> texts;
  for (size_t mark : marks_of(table, row)) {
    const TableMark& m = table.marks[mark];
    texts.push_back(
        fmt::format("{} ({}): {}", to_text(m.mark.weight), m.mark.code, legend_text(m)));
  }
  return join(texts, "; ");
}

Field worst_mark_field(const Table& table, const TableRow& row) {
  const std::optional<results::Weight> worst = worst_mark(table, row);
  return {worst ? std::string(to_text(*worst)) : ""};
}

std::vector<WideColumn> columns(const Table& table) {
  std::vector<WideColumn> all = {
      {"row", [](const TableRow& r) { return count_field(r.plan.row); }},
      {"test", [](const TableRow& r) { return Field{r.test}; }},
      {"type", [](const TableRow& r) { return Field{r.plan.type}; }},
  };
  for (const std::string& factor : table.factors)
    all.push_back({"factor_" + factor, [factor](const TableRow& r) {
                     return Field{results::level_of(r.levels, factor)};
                   }});
  std::vector<WideColumn> rest = {
      {"block_bytes", [](const TableRow& r) { return count_field(r.plan.block_bytes); }},
      {"iodepth", [](const TableRow& r) { return count_field(r.plan.iodepth); }},
      {"numjobs", [](const TableRow& r) { return count_field(r.plan.numjobs); }},
      {"w_iops", [](const TableRow& r) { return number_field(r.write.iops, 2); }},
      {"r_iops", [](const TableRow& r) { return number_field(r.read.iops, 2); }},
      {"w_iops_without_flush", [](const TableRow& r) { return number_field(r.write.raw_iops, 2); }},
      {"flush_s",
       [](const TableRow& r) {
         return r.write.iops ? number_field(r.flush_s, 3) : Field{"", true};
       }},
      {"w_mean_ms", [](const TableRow& r) { return number_field(r.write.mean_ms, 4); }},
      {"r_mean_ms", [](const TableRow& r) { return number_field(r.read.mean_ms, 4); }},
      {"w_p99_ms", [](const TableRow& r) { return number_field(r.write.p99_ms, 4); }},
      {"r_p99_ms", [](const TableRow& r) { return number_field(r.read.p99_ms, 4); }},
      {"w_spread_percent",
       [](const TableRow& r) { return number_field(r.write.spread_percent, 2); }},
      {"r_spread_percent",
       [](const TableRow& r) { return number_field(r.read.spread_percent, 2); }},
      {"w_difference_percent",
       [](const TableRow& r) { return number_field(r.write.difference_percent, 2); }},
      {"r_difference_percent",
       [](const TableRow& r) { return number_field(r.read.difference_percent, 2); }},
      {"w_interval_low_percent", [](const TableRow& r) { return interval_end(r.write, false); }},
      {"w_interval_high_percent", [](const TableRow& r) { return interval_end(r.write, true); }},
      {"r_interval_low_percent", [](const TableRow& r) { return interval_end(r.read, false); }},
      {"r_interval_high_percent", [](const TableRow& r) { return interval_end(r.read, true); }},
      {"w_verdict", [](const TableRow& r) { return Field{r.write.verdict()}; }},
      {"r_verdict", [](const TableRow& r) { return Field{r.read.verdict()}; }},
      {"repetitions_done", [](const TableRow& r) { return count_field(r.repetitions.size()); }},
      {"repetitions_planned", [](const TableRow& r) { return count_field(r.repetitions_planned); }},
      {"status", [](const TableRow& r) { return Field{status(r)}; }},
      {"proof",
       [](const TableRow& r) {
         return Field{r.proof == Proof::nothing_asked ? "" : std::string(to_text(r.proof))};
       }},
      {"worst_mark", [&](const TableRow& r) { return worst_mark_field(table, r); }},
      {"marks", [&](const TableRow& r) { return Field{marks_in_full(table, r)}; }},
  };
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

std::vector<Record> wide_records(const Table& table) {
  std::vector<WideColumn> all = columns(table);
  std::vector<Record> records(1);
  for (const WideColumn& column : all) records[0].push_back({column.name});
  for (const TableRow& row : table.rows) {
    Record record;
    for (const WideColumn& column : all) record.push_back(column.field(row));
    // Row numbers ascend; a number that the plan leaves out keeps its line empty.
    while (records.size() + 1 < row.plan.row) records.emplace_back(all.size());
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace lab::analysis
