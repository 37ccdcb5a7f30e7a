// The forms for programs: CSV and JSON.
#include <algorithm>

#include "analysis/render/comparison.h"
#include "analysis/render/csv.h"
#include "analysis/render/json_number.h"
#include "runner/base/json.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

Field percent(double ratio) { return number_field((ratio - 1) * 100, 2); }

std::string marks_in_full(const Comparison& comparison, const ComparedRow& row) {
  std::vector<size_t> marks = row.before_marks;
  marks.insert(marks.end(), row.after_marks.begin(), row.after_marks.end());
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  std::vector<std::string> texts;
  for (size_t i = 0; i < comparison.marks.size(); ++i) {
    const bool of_the_row = std::binary_search(marks.begin(), marks.end(), i);
    // What no row owns is of them all.
    const bool owned =
        std::any_of(comparison.rows.begin(), comparison.rows.end(), [&](const ComparedRow& other) {
          return std::binary_search(other.before_marks.begin(), other.before_marks.end(), i) ||
                 std::binary_search(other.after_marks.begin(), other.after_marks.end(), i);
        });
    if (owned && !of_the_row) continue;
    const ComparisonMark& m = comparison.marks[i];
    texts.push_back(fmt::format("{} ({}, {}): {}", to_text(m.mark.mark.weight), m.mark.mark.code,
                                to_text(m.of), legend_text(m.mark)));
  }
  return join(texts, "; ");
}

OrderedJson differences_json(const std::vector<Difference>& differences) {
  OrderedJson out = OrderedJson::array();
  for (const Difference& d : differences)
    out.push_back({{"what", d.what}, {"before", d.before}, {"after", d.after}});
  return out;
}

OrderedJson metric_json(const ComparedMetric& one) {
  const stats::Judgement& j = one.judgement;
  return {{"metric", one.metric->key},
          {"unit", one.metric->unit},
          {"before", json_number(one.before)},
          {"after", json_number(one.after)},
          {"change_percent", json_number((j.ratio - 1) * 100)},
          {"interval95_percent",
           {json_number((j.interval95.low - 1) * 100), json_number((j.interval95.high - 1) * 100)}},
          {"p_holm", json_number(j.p_holm)},
          {"detectable_percent", json_number(j.detectable * 100)},
          {"verdict", to_text(j.verdict)},
          {"better", j.better},
          {"beyond_margin", j.beyond_margin},
          {"regression", one.regression()},
          {"text", j.text}};
}

OrderedJson side_json(const TableRow& row, const std::vector<size_t>& marks) {
  return {{"cell", row.plan.cell},
          {"test", row.test},
          {"type", row.plan.type},
          {"block_bytes", row.plan.block_bytes},
          {"iodepth", row.plan.iodepth},
          {"numjobs", row.plan.numjobs},
          {"repetitions_done", row.repetitions.size()},
          {"proof", to_text(row.proof)},
          {"marks", marks}};
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  std::string out = csv_record({{"before_cell"},
                                {"after_cell"},
                                {"type"},
                                {"block_bytes"},
                                {"iodepth"},
                                {"numjobs"},
                                {"metric"},
                                {"unit"},
                                {"before"},
                                {"after"},
                                {"change_percent"},
                                {"interval_low_percent"},
                                {"interval_high_percent"},
                                {"verdict"},
                                {"regression"},
                                {"before_repetitions"},
                                {"after_repetitions"},
                                {"marks"}});
  for (const ComparedRow& row : comparison.rows)
    for (const ComparedMetric& one : row.metrics)
      out += csv_record({{row.before.test},
                         {row.after.test},
                         {row.after.plan.type},
                         count_field(row.after.plan.block_bytes),
                         count_field(row.after.plan.iodepth),
                         count_field(row.after.plan.numjobs),
                         {one.metric->key},
                         {one.metric->unit},
                         number_field(one.before, 4),
                         number_field(one.after, 4),
                         percent(one.judgement.ratio),
                         percent(one.judgement.interval95.low),
                         percent(one.judgement.interval95.high),
                         {to_text(one.judgement.verdict)},
                         {one.regression() ? "yes" : "no"},
                         count_field(row.before.repetitions.size()),
                         count_field(row.after.repetitions.size()),
                         {marks_in_full(comparison, row)}});
  const Field none = {"", true};
  for (const ComparedMetric& one : comparison.of_directories)
    out += csv_record({none,
                       none,
                       none,
                       none,
                       none,
                       none,
                       {one.metric->key},
                       {one.metric->unit},
                       number_field(one.before, 0),
                       number_field(one.after, 0),
                       percent(one.judgement.ratio),
                       percent(one.judgement.interval95.low),
                       percent(one.judgement.interval95.high),
                       {to_text(one.judgement.verdict)},
                       {one.regression() ? "yes" : "no"},
                       none,
                       none,
                       none});
  return out;
}

std::string comparison_json(const Comparison& comparison) {
  OrderedJson rows = OrderedJson::array();
  for (const ComparedRow& row : comparison.rows) {
    OrderedJson figures = OrderedJson::array();
    for (const ComparedMetric& one : row.metrics) figures.push_back(metric_json(one));
    rows.push_back({{"before", side_json(row.before, row.before_marks)},
                    {"after", side_json(row.after, row.after_marks)},
                    {"metrics", figures}});
  }
  OrderedJson of_directories = OrderedJson::array();
  for (const ComparedMetric& one : comparison.of_directories)
    of_directories.push_back(metric_json(one));
  OrderedJson marks = OrderedJson::array();
  for (const ComparisonMark& mark : comparison.marks) {
    OrderedJson j = results::to_json(mark.mark.mark);
    j["of"] = to_text(mark.of);
    j["runs"] = mark.mark.runs;
    marks.push_back(std::move(j));
  }
  return json_text({{"format", 1},
                    {"before", comparison.before},
                    {"after", comparison.after},
                    {"paired", comparison.paired},
                    {"margin_percent", json_number(comparison.margin * 100)},
                    {"asked", differences_json(comparison.asked)},
                    {"besides", differences_json(comparison.besides)},
                    {"headline", comparison.headline},
                    {"rows", rows},
                    {"of_directories", of_directories},
                    {"marks", marks},
                    {"regression", comparison.regression()},
                    {"valid", !comparison.invalid()}});
}

}  // namespace lab::analysis
