// The forms for people: terminal and Markdown.
#include <algorithm>
#include <set>

#include "analysis/render/comparison.h"
#include "analysis/render/escape.h"
#include "analysis/render/layout.h"
#include "analysis/render/markdown_table.h"
#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

std::string number_of(const Comparison& comparison, size_t mark) {
  const results::Weight weight = comparison.marks[mark].mark.mark.weight;
  return fmt::format("{}{}", mark + 1,
                     weight == results::Weight::invalid    ? "!"
                     : weight == results::Weight::doubtful ? "?"
                                                           : "");
}

std::string marks_of(const Comparison& comparison, const ComparedRow& row) {
  std::set<size_t> marks(row.before_marks.begin(), row.before_marks.end());
  marks.insert(row.after_marks.begin(), row.after_marks.end());
  std::vector<std::string> texts;
  texts.reserve(marks.size());
  for (size_t mark : marks) texts.push_back(number_of(comparison, mark));
  return join(texts, " ");
}

std::string legend(const ComparisonMark& mark) {
  return fmt::format(
      "{}{}: {}", to_text(mark.mark.mark.weight),
      mark.of == ComparisonMark::Of::both ? "" : fmt::format(", {}", to_text(mark.of)),
      legend_text(mark.mark));
}

std::string described(const Difference& difference) {
  return fmt::format("{}: {} → {}", difference.what, difference.before, difference.after);
}

// "4k, iodepth 16, numjobs 1": what both rows of a pair do, or each of them.
std::string load_text(const ComparedRow& row) {
  auto text = [](const results::Row& plan) {
    return fmt::format("{}, {}, iodepth {}, numjobs {}", plan.type, short_bytes(plan.block_bytes),
                       plan.iodepth, plan.numjobs);
  };
  const std::string before = text(row.before.plan);
  const std::string after = text(row.after.plan);
  return before == after ? before : before + " → " + after;
}

std::string repetitions_text(const ComparedRow& row) {
  return fmt::format("{}/{}", row.before.repetitions.size(), row.after.repetitions.size());
}

std::string proof_text(const ComparedRow& row) {
  return fmt::format("{}/{}", to_text(row.before.proof), to_text(row.after.proof));
}

std::vector<std::string> notes(const Comparison& comparison) {
  std::vector<std::string> out;
  for (const std::string& finding : comparison.findings) out.push_back(finding + ".");
  out.push_back(
      comparison.paired
          ? "Compared in the blocks of one measurement: what drifted between blocks is not in the "
            "differences."
          : "Compared run against run (Welch's t test): nothing but repetition tells a difference "
            "from chance.");
  out.push_back(fmt::format(
      "before and after: over all repetitions, p99 from summed histograms. Change, interval and "
      "verdict: of the ratio, each run one sample; worse or better by more than the margin of "
      "{:.3g}% only where the whole 95% interval is beyond it.",
      comparison.margin * 100));
  return out;
}

// One line for each figure: the columns that both forms have.
std::vector<Column> columns(const Comparison& comparison) {
  std::vector<Column> all = {
      {"Cell", false, 0, {}},    {"figure", false, 0, {}},  {"before", true, 0, {}},
      {"after", true, 0, {}},    {"change %", true, 0, {}}, {"95% interval %", false, 0, {}},
      {"verdict", false, 0, {}}, {"load", false, 3, {}},    {"reps", true, 4, {}},
      {"proof", false, 5, {}},   {"marks", false, 0, {}}};
  auto add = [&](const ComparedMetric& one, const ComparedRow* row) {
    const std::string unit = unit_text(*one.metric);
    const std::vector<std::string> cells = {row ? row->name : "OSDs",
                                            one.metric->label + (unit.empty() ? "" : " " + unit),
                                            value_text(*one.metric, one.before),
                                            value_text(*one.metric, one.after),
                                            change_text(one.judgement),
                                            interval_text(one.judgement),
                                            outcome_text(one.judgement),
                                            row ? load_text(*row) : "-",
                                            row ? repetitions_text(*row) : "-",
                                            row ? proof_text(*row) : "-",
                                            row ? marks_of(comparison, *row) : ""};
    for (size_t i = 0; i < all.size(); ++i) all[i].cells.push_back(cells[i]);
  };
  for (const ComparedRow& row : comparison.rows)
    for (const ComparedMetric& one : row.metrics) add(one, &row);
  for (const ComparedMetric& one : comparison.of_directories) add(one, nullptr);
  return all;
}

std::string painted(const Paint& paint, const ComparedMetric& one, const std::string& line) {
  if (one.judgement.verdict != stats::Verdict::different) return line;
  return one.judgement.better ? paint.good(line) : paint.bad(line);
}

}  // namespace

std::string comparison_table(const Comparison& comparison, const RenderOptions& options) {
  const Paint paint(options.colours);
  const size_t prose = options.width > 0 ? options.width : kProseWidth;
  std::string out = paint.bold(
      wrapped("", one_line(fmt::format("{} → {}", comparison.before, comparison.after)), prose, 2));
  if (!comparison.headline.empty())
    out += paint.bold(wrapped("", one_line(comparison.headline) + ".", prose, 2));
  out += "\n";
  auto list = [&](const char* title, const std::vector<Difference>& differences, const char* none) {
    out += fmt::format("{}\n", title);
    for (const Difference& difference : differences)
      out += wrapped("  ", one_line(described(difference)), prose, 6);
    if (differences.empty()) out += fmt::format("  {}\n", none);
  };
  list("What was asked to differ", comparison.asked, "nothing");
  list("What differs besides", comparison.besides, "nothing that was recorded");
  out += "\n";

  std::vector<Column> all = columns(comparison);
  // One pair is named by the first line.
  if (comparison.rows.size() == 1) all.erase(all.begin());
  const TextTable text = text_table(std::move(all), options.width, prose);
  out += paint.bold(text.head) + "\n";
  size_t line = 0;
  for (const ComparedRow& row : comparison.rows)
    for (const ComparedMetric& one : row.metrics)
      out += painted(paint, one, text.rows[line++]) + "\n";
  for (const ComparedMetric& one : comparison.of_directories)
    out += painted(paint, one, text.rows[line++]) + "\n";
  out += text.left_out;

  if (!comparison.marks.empty()) out += "\n" + paint.bold("Marks") + "\n";
  for (size_t i = 0; i < comparison.marks.size(); ++i)
    out += paint.weight(comparison.marks[i].mark.mark.weight,
                        wrapped(fmt::format("  {:<3} ", number_of(comparison, i)),
                                one_line(legend(comparison.marks[i])), prose, 6));
  out += "\n";
  for (const std::string& note : notes(comparison)) out += wrapped("", one_line(note), prose, 2);
  return out;
}

std::string comparison_markdown(const Comparison& comparison) {
  std::string out = fmt::format("## {} → {}\n\n", markdown_cell(comparison.before),
                                markdown_cell(comparison.after));
  if (!comparison.headline.empty()) out += "**" + markdown_cell(comparison.headline) + ".**\n\n";
  auto list = [&](const char* title, const std::vector<Difference>& differences, const char* none) {
    out += fmt::format("{}:\n\n", title);
    for (const Difference& difference : differences)
      out += "- " + markdown_cell(described(difference)) + "\n";
    if (differences.empty()) out += fmt::format("- {}\n", none);
    out += "\n";
  };
  list("What was asked to differ", comparison.asked, "nothing");
  list("What differs besides", comparison.besides, "nothing that was recorded");

  out += markdown_table(columns(comparison));
  if (!comparison.marks.empty()) out += "\nMarks:\n\n";
  for (size_t i = 0; i < comparison.marks.size(); ++i)
    out += fmt::format("- {} {}\n", number_of(comparison, i),
                       markdown_cell(legend(comparison.marks[i])));
  out += "\nHow to read it:\n\n";
  for (const std::string& note : notes(comparison)) out += "- " + markdown_cell(note) + "\n";
  return out;
}

}  // namespace lab::analysis
