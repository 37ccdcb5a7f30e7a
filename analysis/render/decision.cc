#include "analysis/render/decision.h"

#include <algorithm>

#include "analysis/render/escape.h"
#include "analysis/render/json_number.h"
#include "analysis/render/layout.h"
#include "analysis/render/markdown_table.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// "open (no-go)": what a check found, and what that counts as where the two differ.
std::string outcome_text(const Check& check) {
  std::string outcome(to_text(check.outcome));
  switch (check.outcome) {
    case Outcome::open:
    case Outcome::no_data:
      return fmt::format("{} ({})", outcome, to_text(check.counts));
    default:
      return outcome;
  }
}

std::vector<Column> columns(const Decision& decision) {
  std::vector<Column> all = {{"candidate", false, 0, {}},    {"check", false, 0, {}},
                             {"measured", true, 0, {}},      {"limit", true, 0, {}},
                             {"95% interval", false, 1, {}}, {"result", false, 0, {}}};
  for (const Check& check : decision.checks) {
    const std::vector<std::string> cells = {
        check.candidate, check.rule,     check.measured.empty() ? "-" : check.measured,
        check.limit,     check.interval, outcome_text(check)};
    for (size_t i = 0; i < all.size(); ++i) all[i].cells.push_back(cells[i]);
  }
  return all;
}

// The same reason stands once, with the candidates that it holds for.
std::vector<std::string> reasons(const Decision& decision) {
  struct Reason {
    std::string rule, why;
    std::vector<std::string> candidates;
  };
  std::vector<Reason> found;
  bool open = false;
  for (const Check& check : decision.checks) {
    open |= check.outcome == Outcome::open;
    if (check.why.empty()) continue;
    auto same = std::find_if(found.begin(), found.end(), [&](const Reason& r) {
      return r.rule == check.rule && r.why == check.why;
    });
    if (same == found.end()) same = found.insert(same, {check.rule, check.why, {}});
    same->candidates.push_back(check.candidate);
  }
  std::vector<std::string> out;
  out.reserve(found.size() + 1);
  for (const Reason& reason : found)
    out.push_back(
        fmt::format("{}: {} ({}).", reason.rule, reason.why, join(reason.candidates, "; ")));
  if (open)
    out.emplace_back(
        "open: the interval holds values on both sides of the limit; more repetitions may tell.");
  return out;
}

std::string painted(const Paint& paint, const Check& check, const std::string& line) {
  if (check.counts == Counts::no_go) return paint.bad(line);
  return check.outcome == Outcome::go ? line : paint.open(line);
}

std::string table_text(const Decision& decision, const RenderOptions& options) {
  const Paint paint(options.colours);
  const size_t prose = options.width > 0 ? options.width : kProseWidth;
  std::string out = paint.bold(wrapped("", one_line("Policy: " + decision.policy), prose, 2));
  for (const std::string& pair : decision.compared) out += wrapped("  ", one_line(pair), prose, 6);
  out += "\n";
  const TextTable text = text_table(columns(decision), options.width, prose);
  out += paint.bold(text.head) + "\n";
  for (size_t i = 0; i < decision.checks.size(); ++i)
    out += painted(paint, decision.checks[i], text.rows[i]) + "\n";
  out += text.left_out;
  out += "\n";
  for (const std::string& reason : reasons(decision))
    out += wrapped("", one_line(reason), prose, 2);
  return out + paint.bold("decision: " + one_line(decision.text())) + "\n";
}

std::string markdown_text(const Decision& decision) {
  std::string out = "## " + markdown_cell(decision.policy) + "\n\n";
  for (const std::string& pair : decision.compared) out += "- " + markdown_cell(pair) + "\n";
  out += "\n";
  out += markdown_table(columns(decision));
  out += "\n";
  for (const std::string& reason : reasons(decision)) out += "- " + markdown_cell(reason) + "\n";
  return out + "\n**decision: " + markdown_cell(decision.text()) + "**\n";
}

std::string json_form(const Decision& decision) {
  OrderedJson checks = OrderedJson::array();
  for (const Check& check : decision.checks) {
    OrderedJson interval = nullptr;
    if (check.interval_values)
      interval = {json_number(check.interval_values->low),
                  json_number(check.interval_values->high)};
    checks.push_back({{"candidate", check.candidate},
                      {"rule", check.rule},
                      {"unit", check.unit},
                      {"measured", json_number(check.measured_value)},
                      {"limit", json_number(check.limit_value)},
                      {"interval95", interval},
                      {"measured_text", check.measured},
                      {"limit_text", check.limit},
                      {"result", to_text(check.outcome)},
                      {"counts_as", to_text(check.counts)},
                      {"why", check.why}});
  }
  const char* word = !decision.valid() ? "not valid" : decision.go() ? "go" : "no-go";
  return json_text({{"format", 1},
                    {"policy", decision.policy},
                    {"compared", decision.compared},
                    {"checks", checks},
                    {"decision", word},
                    {"text", decision.text()}});
}

}  // namespace

const std::vector<std::string>& decision_format_names() {
  static const std::vector<std::string> names = {"table", "markdown", "json"};
  return names;
}

std::string render_decision(const Decision& decision, const std::string& format,
                            const RenderOptions& options) {
  if (format == "table") return table_text(decision, options);
  if (format == "markdown") return markdown_text(decision);
  if (format == "json") return json_form(decision);
  throw usage_error("--format={}: unknown; one of {}", format, join(decision_format_names(), ", "));
}

}  // namespace lab::analysis
