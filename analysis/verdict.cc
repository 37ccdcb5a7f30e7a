#include "analysis/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/power.h"

namespace lab::stats {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr size_t most_more_blocks = 200;

// Far from 1, "times" is easier to read than percent.
bool in_times(double ratio) { return ratio >= 2 || ratio <= 0.5; }

// Two significant digits below 10%, since 0.04% and 0.4% differ.
std::string percent(double part, bool sign) {
  double value = 100 * std::abs(part);
  int decimals = value >= 0.095 || value == 0 ? 1 : 2;
  std::string digits = fmt::format("{:.{}f}%", value, decimals);
  return sign ? (part < 0 ? "-" : "+") + digits : digits;
}

std::string name_of(const Metric& metric, size_t cell) {
  return cell < metric.cells.size() ? metric.cells[cell] : fmt::format("cell {}", cell + 1);
}

struct Design {
  double se, df;
};

// The same comparison with another number of blocks: every block adds as much as each of
// those that there are.
Design with_blocks(const Comparison& comparison, Model model, double blocks) {
  double have = static_cast<double>(comparison.blocks);
  double samples = model == Model::mirrored_pairs ? have / 2 : have;
  double wanted = model == Model::mirrored_pairs ? blocks / 2 : blocks;
  return {comparison.standard_error * std::sqrt(have / blocks),
          comparison.df * (wanted - 1) / std::max(samples - 1, 1.0)};
}

std::optional<size_t> more_to_decide(const Comparison& comparison, Model model,
                                     const JudgeOptions& options, double corrected_alpha) {
  double effect = std::log(comparison.ratio);
  double low = std::log1p(-options.margin) - effect;
  double high = std::log1p(options.margin) - effect;
  auto decides = [&](size_t more) {
    Design design = with_blocks(comparison, model, static_cast<double>(comparison.blocks + more));
    return difference_power(effect / design.se, design.df, corrected_alpha) >= options.power ||
           (low < 0 && high > 0 &&
            equivalence_power(low / design.se, high / design.se, design.df, options.alpha) >=
                options.power);
  };
  // More blocks never decide less, so the least number is found by halving.
  size_t least = 2 - comparison.blocks % 2;
  size_t steps = (most_more_blocks - least) / 2;
  if (!decides(least + 2 * steps)) return std::nullopt;
  size_t none = 0;  // steps below this are too few
  while (none < steps) {
    size_t middle = (none + steps) / 2;
    if (decides(least + 2 * middle))
      steps = middle;
    else
      none = middle + 1;
  }
  return least + 2 * steps;
}

// "write IOPS of writeback: 12.3% higher than none".
std::string opening(const Metric& metric, const Judgement& judgement) {
  std::string than = in_times(judgement.ratio) || describe_ratio(judgement.ratio) == "equal"
                         ? "compared with"
                         : "than";
  return fmt::format("{} of {}: {} {} {}", metric.name, name_of(metric, judgement.cell),
                     describe_ratio(judgement.ratio), than, name_of(metric, metric.baseline));
}

std::string sentence(const Judgement& judgement, const Comparison& comparison, const Metric& metric,
                     const JudgeOptions& options, size_t comparisons) {
  const std::string margin = percent(options.margin, false);
  if (judgement.verdict == Verdict::no_statement) {
    if (std::isnan(judgement.ratio))
      return fmt::format("{} of {}: no statement, it was never measured beside {}", metric.name,
                         name_of(metric, judgement.cell), name_of(metric, metric.baseline));
    return fmt::format("{}, measured {}: no statement", opening(metric, judgement),
                       comparison.blocks <= 1 ? "once" : "too rarely");
  }
  std::string text = opening(metric, judgement);
  if (judgement.verdict == Verdict::descriptive)
    return text + " in 2 repetitions: too few for a verdict, it takes 4";
  bool ninety = judgement.verdict == Verdict::equivalent;
  text += fmt::format(" ({}% interval {}): ", ninety ? 90 : 95,
                      describe_interval(ninety ? judgement.interval90 : judgement.interval95));
  const char* judged = judgement.better ? "better" : "worse";
  switch (judgement.verdict) {
    case Verdict::different:
      text += judgement.beyond_margin
                  ? fmt::format("different, {} by more than the margin of {}", judged, margin)
                  : fmt::format("different, {}; whether by more than the margin of {} is open",
                                judged, margin);
      break;
    case Verdict::below_margin:
      text += fmt::format("different, {}, but below the margin of {}", judged, margin);
      break;
    case Verdict::equivalent:
      text += fmt::format("equivalent within the margin of {}", margin);
      break;
    default:
      text += fmt::format("inconclusive, could have seen a difference of {} or more",
                          percent(judgement.detectable, false));
      if (comparison.p <= options.alpha)
        text +=
            fmt::format("; it would count alone, but not as one of {} comparisons", comparisons);
      text +=
          judgement.more_blocks
              ? fmt::format("; {} more repetitions would probably decide", *judgement.more_blocks)
              : std::string("; no reasonable number of repetitions would decide");
  }
  if (comparison.own_variance)
    text += fmt::format("; {} scatters more than the others", name_of(metric, judgement.cell));
  return text;
}

}  // namespace

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::no_statement:
      return "no statement";
    case Verdict::descriptive:
      return "too few repetitions";
    case Verdict::different:
      return "different";
    case Verdict::below_margin:
      return "different, below the margin";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  return "";
}

std::string describe_ratio(double ratio) {
  if (in_times(ratio)) return fmt::format("{:.2f} times as high", ratio);
  std::string digits = percent(ratio - 1, false);
  if (digits == "0.00%" || digits == "0.0%") return "equal";
  return digits + (ratio > 1 ? " higher" : " lower");
}

std::string describe_interval(const Interval& interval) {
  if (in_times(std::sqrt(interval.low * interval.high)))
    return fmt::format("{:.2f} to {:.2f} times", interval.low, interval.high);
  return percent(interval.low - 1, true) + " to " + percent(interval.high - 1, true);
}

std::vector<Judgement> judge(const BlockAnalysis& analysis, const Metric& metric,
                             const JudgeOptions& options) {
  size_t comparable = 0;
  for (const Comparison& comparison : analysis.comparisons)
    if (!std::isnan(comparison.p)) ++comparable;
  // Holm's first step, the strictest, is Bonferroni's.
  double corrected = options.alpha / static_cast<double>(std::max<size_t>(comparable, 1));

  std::vector<Judgement> judgements;
  for (const Comparison& comparison : analysis.comparisons) {
    Judgement out;
    out.cell = comparison.cell;
    out.ratio = comparison.ratio;
    out.p_holm = comparison.p_holm;
    out.interval95 = comparison.interval(0.95);
    out.interval90 = comparison.interval(0.90);
    out.detectable = unknown;
    if (std::isnan(comparison.ratio) || comparison.blocks < 2 || !(comparison.df > 0)) {
      out.verdict = Verdict::no_statement;
    } else if (comparison.blocks == 2) {
      out.verdict = Verdict::descriptive;
    } else {
      out.detectable = std::expm1(comparison.standard_error *
                                  detectable_effect_se(comparison.df, corrected, options.power));
      bool inside =
          out.interval90.low > 1 - options.margin && out.interval90.high < 1 + options.margin;
      if (comparison.p_holm <= options.alpha) {
        out.verdict = inside ? Verdict::below_margin : Verdict::different;
        out.better = (out.ratio > 1) == (metric.direction == Direction::higher_is_better);
        out.beyond_margin =
            out.interval95.low > 1 + options.margin || out.interval95.high < 1 - options.margin;
      } else {
        out.verdict = inside ? Verdict::equivalent : Verdict::inconclusive;
        if (!inside)
          out.more_blocks = more_to_decide(comparison, analysis.model, options, corrected);
      }
    }
    out.text = sentence(out, comparison, metric, options, comparable);
    judgements.push_back(std::move(out));
  }
  return judgements;
}

ControlSummary summarise_control(const Judgement& control, const Metric& metric) {
  ControlSummary out;
  const std::string pair =
      fmt::format("{} and {}, which are the same setting", name_of(metric, metric.baseline),
                  name_of(metric, control.cell));
  if (control.verdict == Verdict::no_statement || control.verdict == Verdict::descriptive) {
    out.floor = unknown;
    out.text = fmt::format("control: too few repetitions to compare {} of {}", metric.name, pair);
    return out;
  }
  out.false_alarm =
      control.verdict == Verdict::different || control.verdict == Verdict::below_margin;
  double seen = std::max(control.ratio, 1 / control.ratio) - 1;
  out.floor = std::max(seen, control.detectable);
  if (out.false_alarm)
    out.text = fmt::format(
        "control: {} of {}, were called different by {}: something besides the settings "
        "changes from run to run, so trust no difference below {}",
        metric.name, pair, percent(seen, false), percent(out.floor, false));
  else
    out.text = fmt::format(
        "control: {} of {}, differ by {} (95% interval {}), which is no difference; the lab "
        "sees differences of {} or more",
        metric.name, pair, percent(seen, false), describe_interval(control.interval95),
        percent(out.floor, false));
  return out;
}

}  // namespace lab::stats
