#include "analysis/gate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/render/wording.h"
#include "analysis/welch.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

constexpr double kConfidence = 0.95;

bool is_relative(Limit limit) { return limit == Limit::loss || limit == Limit::growth; }

// In the figure's unit.
std::string amount(Unit unit, double value) {
  const double size = std::abs(value);
  const char* sign = value < 0 ? "-" : "";
  switch (unit) {
    case Unit::bytes:
      return sign + format_bytes(static_cast<uint64_t>(std::llround(size)));
    case Unit::ms:
      return fmt::format("{}{} ms", sign, latency_text(size));
    case Unit::s:
      return fmt::format("{}{:.1f} s", sign, size);
    default:
      return fmt::format("{}{:.0f}", sign, size);
  }
}

std::string shown(const Rule& rule, double value) {
  if (is_relative(rule.limit)) return fmt::format("{:+.1f}%", value);
  const std::string text = amount(rule.figure->unit, value);
  return rule.limit == Limit::added && value >= 0 ? "+" + text : text;
}

std::string rule_text(const Rule& rule) {
  const Unit unit = rule.figure->unit;
  switch (rule.limit) {
    case Limit::loss:
      return fmt::format("{}: loss at most {:.3g}%", rule.figure->name, rule.value * 100);
    case Limit::growth:
      return fmt::format("{}: growth at most {:.3g}%", rule.figure->name, rule.value * 100);
    case Limit::added:
      return fmt::format("{}: growth at most {}", rule.figure->name, amount(unit, rule.value));
    case Limit::at_least:
      return fmt::format("{}: at least {}", rule.figure->name, amount(unit, rule.value));
    case Limit::at_most:
      return fmt::format("{}: at most {}", rule.figure->name, amount(unit, rule.value));
  }
  return "";
}

// What a rule looks at, in percent of change or in the figure's unit.
struct Measurement {
  double value = NAN;
  stats::Interval interval = {NAN, NAN};
};

Measurement measurement(const Rule& rule, const ComparedMetric& figure) {
  const stats::Judgement& judgement = figure.judgement;
  auto of_ratio = [&](double ratio) {
    // Of bytes, ms or s: what the change is beside the baseline as measured.
    return is_relative(rule.limit) ? (ratio - 1) * 100 : (ratio - 1) * figure.before.value_or(NAN);
  };
  if (is_relative(rule.limit) || rule.limit == Limit::added)
    return {of_ratio(judgement.ratio),
            {of_ratio(judgement.interval95.low), of_ratio(judgement.interval95.high)}};
  return {figure.after.value_or(NAN),
          stats::geometric_mean(figure.after_samples, kConfidence).interval};
}

// The limit as the measurement is: percent of change for a part of the baseline.
double limit_value(const Rule& rule) {
  if (rule.limit == Limit::loss) return -rule.value * 100;
  if (rule.limit == Limit::growth) return rule.value * 100;
  return rule.value;
}

// On the interval: the limit is kept only if the interval excludes that it is broken.
Outcome hold(const Rule& rule, const Measurement& measured) {
  const double limit = limit_value(rule);
  const stats::Interval& interval = measured.interval;
  if (std::isnan(interval.low) || std::isnan(interval.high)) return Outcome::open;
  const bool low_is_bad = rule.limit == Limit::loss || rule.limit == Limit::at_least;
  if (low_is_bad ? interval.low >= limit : interval.high <= limit) return Outcome::go;
  if (low_is_bad ? interval.high < limit : interval.low > limit) return Outcome::no_go;
  return Outcome::open;
}

Counts counts_of(Outcome outcome, const Rule& rule) {
  switch (outcome) {
    case Outcome::go:
    case Outcome::skipped:
      return Counts::go;
    case Outcome::open:
      return rule.inconclusive;
    default:
      return Counts::no_go;
  }
}

// Of the checks of one candidate.
class Gate {
 public:
  Gate(const Comparison& comparison, const Policy& policy, std::vector<Check>& checks)
      : comparison_(comparison), policy_(policy), checks_(checks) {}

  void judge() {
    check_marks();
    for (const ComparedRow& row : comparison_.rows) {
      check_repetitions(row);
      if (policy_.proof) check_proof(row);
    }
    for (const Rule& rule : policy_.rules) {
      if (rule.figure->unit == Unit::count)
        check_count(rule);
      else
        check_figure(rule);
    }
  }

 private:
  std::string place(const ComparedRow& row) const {
    return fmt::format("{}, {} {}", row.name, row.after.plan.type,
                       short_bytes(row.after.plan.block_bytes));
  }

  Check& add(const std::string& candidate, std::string rule, Outcome outcome, Counts counts) {
    Check check;
    check.candidate = candidate;
    check.rule = std::move(rule);
    check.outcome = outcome;
    check.counts = counts;
    checks_.push_back(std::move(check));
    return checks_.back();
  }

  // Nothing makes up for an invalid mark.
  bool accepted(const results::Mark& mark) const {
    const auto& codes = policy_.accept_marks;
    return mark.weight <= policy_.worst_mark ||
           (mark.weight < results::Weight::invalid &&
            std::find(codes.begin(), codes.end(), mark.code) != codes.end());
  }

  void check_marks() {
    std::optional<results::Weight> worst;
    for (const ComparisonMark& mark : comparison_.marks)
      worst = std::max(worst, std::optional(mark.mark.mark.weight));
    const bool invalid = worst == results::Weight::invalid;
    const bool kept =
        std::all_of(comparison_.marks.begin(), comparison_.marks.end(),
                    [&](const ComparisonMark& mark) { return accepted(mark.mark.mark); });
    Check& check = add(comparison_.rows[0].name,
                       fmt::format("marks: none graver than {}", to_text(policy_.worst_mark)),
                       invalid ? Outcome::not_valid
                       : kept  ? Outcome::go
                               : Outcome::no_go,
                       kept ? Counts::go : Counts::no_go);
    check.measured = worst ? std::string(to_text(*worst)) : "none";
    check.limit = to_text(policy_.worst_mark);
    if (kept) return;
    std::vector<std::string> reasons;
    for (const ComparisonMark& mark : comparison_.marks)
      if (!accepted(mark.mark.mark))
        reasons.push_back(fmt::format(
            "{}{}",
            mark.of == ComparisonMark::Of::both ? "" : fmt::format("{}: ", to_text(mark.of)),
            legend_text(mark.mark)));
    check.why = join(reasons, "; ");
  }

  void check_repetitions(const ComparedRow& row) {
    const size_t least = std::min(row.before.repetitions.size(), row.after.repetitions.size());
    const bool kept = least >= policy_.min_repetitions;
    Check& check =
        add(place(row), fmt::format("repetitions: at least {} of each", policy_.min_repetitions),
            kept ? Outcome::go : Outcome::no_go, kept ? Counts::go : Counts::no_go);
    check.measured = fmt::format("{}", least);
    check.limit = fmt::format("{}", policy_.min_repetitions);
    check.measured_value = static_cast<double>(least);
    check.limit_value = static_cast<double>(policy_.min_repetitions);
  }

  void check_proof(const ComparedRow& row) {
    const bool kept = row.after.proof == Proof::verified && row.before.proof <= Proof::verified;
    Check& check = add(place(row), "proof: settings read back", kept ? Outcome::go : Outcome::no_go,
                       kept ? Counts::go : Counts::no_go);
    const Proof worst = std::max(row.before.proof, row.after.proof);
    const Proof shown_proof = row.after.proof == Proof::nothing_asked ? row.after.proof : worst;
    check.measured = shown_proof == Proof::nothing_asked ? "nothing asked for"
                                                         : std::string(to_text(shown_proof));
    check.limit = to_text(Proof::verified);
  }

  void check_count(const Rule& rule) {
    for (const ComparedRow& row : comparison_.rows) {
      const auto count = static_cast<double>(
          rule.figure->key == "io_errors" ? row.after_io_errors : row.after.repetitions_failed);
      // Counted, not estimated: there is no chance in it.
      const Outcome outcome = count <= rule.value ? Outcome::go : Outcome::no_go;
      Check& check = add(place(row), rule_text(rule), outcome, counts_of(outcome, rule));
      check.measured = amount(Unit::count, count);
      check.limit = amount(Unit::count, rule.value);
      check.measured_value = count;
      check.limit_value = rule.value;
    }
  }

  void check_figure(const Rule& rule) {
    bool any = false;
    for (const ComparedRow& row : comparison_.rows) {
      for (const ComparedMetric& figure : row.metrics) {
        if (figure.metric->key != rule.figure->key) continue;
        any = true;
        add_figure(rule, place(row), figure);
      }
    }
    for (const ComparedMetric& figure : comparison_.of_directories) {
      if (figure.metric->key != rule.figure->key) continue;
      any = true;
      add_figure(rule, comparison_.after, figure);
    }
    if (any) return;
    no_data(rule, comparison_.rows[0].name,
            fmt::format("nothing in the result directories tells the {}", rule.figure->name));
  }

  void no_data(const Rule& rule, const std::string& candidate, std::string why) {
    const Outcome outcome = rule.skip_if_missing ? Outcome::skipped : Outcome::no_data;
    Check& check = add(candidate, rule_text(rule), outcome, counts_of(outcome, rule));
    check.limit = shown(rule, limit_value(rule));
    check.limit_value = limit_value(rule);
    check.why = std::move(why);
  }

  void add_figure(const Rule& rule, const std::string& candidate, const ComparedMetric& figure) {
    const Measurement measured = measurement(rule, figure);
    if (std::isnan(measured.value)) {
      no_data(rule, candidate, fmt::format("one side has no figure for the {}", rule.figure->name));
      return;
    }
    const Outcome outcome = hold(rule, measured);
    Check& check = add(candidate, rule_text(rule), outcome, counts_of(outcome, rule));
    check.unit = is_relative(rule.limit) ? "percent" : to_text(rule.figure->unit);
    check.measured = shown(rule, measured.value);
    check.limit = shown(rule, limit_value(rule));
    check.measured_value = measured.value;
    check.limit_value = limit_value(rule);
    if (std::isnan(measured.interval.low) || std::isnan(measured.interval.high)) {
      check.why = "too few repetitions for an interval";
      return;
    }
    check.interval = fmt::format("{} to {}", shown(rule, measured.interval.low),
                                 shown(rule, measured.interval.high));
    check.interval_values = measured.interval;
  }

  const Comparison& comparison_;
  const Policy& policy_;
  std::vector<Check>& checks_;
};

// The cell that differs from this one in the policy's factors only, where it has the levels of
// the plan's baseline.
const results::Cell* baseline_for(const results::Plan& plan, const results::Cell& cell,
                                  const Policy& policy) {
  auto levels = cell.levels;
  for (auto& [factor, level] : levels)
    for (const auto& [varied, unused] : policy.candidate)
      if (factor == varied) level = results::level_of(plan.cells[0].levels, factor);
  auto found = std::find_if(plan.cells.begin(), plan.cells.end(),
                            [&](const results::Cell& other) { return other.levels == levels; });
  return found == plan.cells.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::go:
      return "go";
    case Outcome::no_go:
      return "no-go";
    case Outcome::open:
      return "open";
    case Outcome::no_data:
      return "no data";
    case Outcome::skipped:
      return "skipped";
    case Outcome::not_valid:
      return "not valid";
  }
  return "not valid";
}

bool Decision::valid() const {
  return std::none_of(checks.begin(), checks.end(),
                      [](const Check& c) { return c.outcome == Outcome::not_valid; });
}

bool Decision::go() const {
  return valid() && std::none_of(checks.begin(), checks.end(),
                                 [](const Check& c) { return c.counts == Counts::no_go; });
}

std::string Decision::text() const {
  auto counting = [&](Counts counts) {
    return std::count_if(checks.begin(), checks.end(),
                         [&](const Check& c) { return c.counts == counts; });
  };
  if (!valid()) return "not valid: some figures are marked invalid, so nothing can be decided";
  const auto against = counting(Counts::no_go);
  if (against > 0)
    return fmt::format("no-go: {} of {} checks {} against it", against, checks.size(),
                       against == 1 ? "is" : "are");
  const auto warnings = counting(Counts::warn);
  std::string text = fmt::format("go: {} checks, none against it", checks.size());
  if (warnings > 0) text += fmt::format(", {} open", warnings);
  return text;
}

std::vector<Candidate> candidates(const results::Plan& plan, const Policy& policy,
                                  const std::vector<std::string>& cells, const std::string& place) {
  std::vector<Candidate> out;
  if (plan.cells.empty()) throw usage_error("{}: the plan has no cells", place);
  for (const std::string& name : cells) {
    const results::Cell* cell = find_cell(plan, name);
    if (!cell)
      throw usage_error("{}: there is no one cell \"{}\"; it has: {}", place, name,
                        cell_names(plan));
    const results::Cell* baseline = baseline_for(plan, *cell, policy);
    out.push_back({cell->name, policy.candidate.empty() || !baseline || baseline == cell
                                   ? plan.cells[0].name
                                   : baseline->name});
  }
  if (!out.empty()) return out;
  for (const results::Cell& cell : plan.cells) {
    const bool chosen = std::all_of(
        policy.candidate.begin(), policy.candidate.end(),
        [&](const auto& p) { return results::level_of(cell.levels, p.first) == p.second; });
    // The control is the baseline once more: it says what the lab sees, not what a change does.
    if (!chosen || !cell.control_of.empty()) continue;
    const results::Cell* baseline =
        policy.candidate.empty() ? plan.cells.data() : baseline_for(plan, cell, policy);
    if (baseline && baseline != &cell) out.push_back({cell.name, baseline->name});
  }
  if (!out.empty()) return out;
  std::vector<std::string> levels;
  for (const auto& [factor, level] : policy.candidate) levels.push_back(factor + "=" + level);
  throw usage_error(
      "{}: {} beside the baseline; it has: {}; name one with --cell, or a measurement to hold it "
      "against with --reference",
      place, levels.empty() ? "there is no cell" : "there is no cell with " + join(levels, " and "),
      cell_names(plan));
}

void judge_candidates(const Side& side, const Policy& policy, const std::vector<std::string>& cells,
                      Decision& decision) {
  for (const Candidate& candidate : candidates(side.plan, policy, cells, side.name))
    judge_gate(compare(of_cell(side, candidate.baseline), of_cell(side, candidate.cell)), policy,
               decision);
}

void drop_told_elsewhere(Decision& decision) {
  auto is_missing = [](const Check& check) {
    return check.outcome == Outcome::no_data || check.outcome == Outcome::skipped;
  };
  std::set<std::string> told;
  for (const Check& check : decision.checks)
    if (!is_missing(check)) told.insert(check.rule);
  std::erase_if(decision.checks,
                [&](const Check& check) { return is_missing(check) && told.contains(check.rule); });
}

void judge_gate(const Comparison& comparison, const Policy& policy, Decision& decision) {
  if (std::any_of(comparison.marks.begin(), comparison.marks.end(),
                  [](const ComparisonMark& mark) { return mark.mark.mark.code == "same-runs"; }))
    throw usage_error(
        "{} would be held against itself, and nothing can be wrong with that; name another cell or "
        "another reference",
        comparison.after);
  decision.policy = policy.title.empty() ? policy.name : policy.title;
  decision.compared.push_back(fmt::format("{} → {}", comparison.before, comparison.after));
  Gate(comparison, policy, decision.checks).judge();
}

}  // namespace lab::analysis
