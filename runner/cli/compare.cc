// lab compare: two cells, runs or result directories, held against each other.
#include "analysis/compare.h"
#include "analysis/comparability.h"
#include "analysis/render/comparison.h"
#include "runner/base/text.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace lab::cli {
namespace {

struct CompareRequest {
  std::string before, after;
  std::string format = "table";
  std::string margin = "3%";
  std::string allow_different;
};

std::vector<std::string> parse_things(const std::string& list) {
  std::vector<std::string> things;
  if (list.empty()) return things;
  const std::vector<std::string>& known = analysis::comparable_things();
  for (const std::string& part : split(list, ',')) {
    std::string thing(trim(part));
    if (std::find(known.begin(), known.end(), thing) == known.end()) {
      auto near = nearest(thing, known);
      throw usage_error("--allow-different: unknown \"{}\"{}; known are {}", thing,
                        near ? fmt::format(" (did you mean \"{}\"?)", *near) : "",
                        join(known, ", "));
    }
    things.push_back(std::move(thing));
  }
  return things;
}

Exit compare_sides(const CompareRequest& request) {
  analysis::CompareOptions options;
  const std::optional<double> margin = parse_percent(request.margin);
  if (!margin) throw usage_error("--margin: \"{}\" is no margin; write 3%", request.margin);
  options.margin = *margin;
  options.allow_different = parse_things(request.allow_different);
  const analysis::Comparison comparison = analysis::compare(
      analysis::load_side(request.before), analysis::load_side(request.after), options);
  const auto& rows = comparison.rows;
  if (std::none_of(rows.begin(), rows.end(), [](const analysis::ComparedRow& row) {
        return std::any_of(row.metrics.begin(), row.metrics.end(), [](const auto& metric) {
          return metric.before.has_value() && metric.after.has_value();
        });
      }))
    throw usage_error(
        "{} and {} have no figure in common: a side without finished runs compares with "
        "nothing",
        request.before, request.after);
  print(analysis::render_comparison(comparison, request.format, render_options_for_stdout()));
  if (comparison.invalid()) return Exit::not_valid;
  return comparison.regression() ? Exit::no_go : Exit::ok;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto state = std::make_shared<CompareRequest>();
  CLI::App* compare = app.add_subcommand(
      "compare",
      "Before and after, with intervals and verdicts, and what differs besides what was asked. "
      "Each side is DIR (a result directory: all cells that both have), DIR:CELL (by name or by "
      "levels, as off or cache=off) or DIR@RUN (a run's number). Exit status 1 if a figure is "
      "worse by more than the margin, 4 if a mark is invalid.");
  compare->add_option("BEFORE", state->before, "DIR, DIR:CELL or DIR@RUN")->required();
  compare->add_option("AFTER", state->after, "DIR, DIR:CELL or DIR@RUN")->required();
  compare->add_option("--margin", state->margin, "differences up to this don't matter: 3%")
      ->capture_default_str();
  compare->add_option("--allow-different", state->allow_different,
                      "compare all the same, marked, although these differ: " +
                          join(analysis::comparable_things(), ",") + ", by comma");
  compare->add_option("--format", state->format, "of the comparison on stdout")
      ->check(CLI::IsMember(analysis::comparison_format_names()))
      ->capture_default_str();
  compare->callback([state, &action] { action = [state] { return compare_sides(*state); }; });
}

}  // namespace lab::cli
