#include "analysis/html/interval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/render/escape.h"

namespace lab::analysis::html {
namespace {

constexpr double kWidth = 140, kHeight = 18, kEdge = 4;

// Where a ratio is in the drawing, from the left.
double at(double ratio, const IntervalScale& scale) {
  const double part =
      (std::log(ratio) - std::log(scale.low)) / (std::log(scale.high) - std::log(scale.low));
  return kEdge + std::clamp(part, 0.0, 1.0) * (kWidth - 2 * kEdge);
}

}  // namespace

bool has_interval(const stats::Judgement& judgement) {
  const stats::Interval& interval = judgement.interval95;
  return judgement.verdict != stats::Verdict::no_statement &&
         judgement.verdict != stats::Verdict::descriptive && std::isfinite(judgement.ratio) &&
         interval.low > 0 && std::isfinite(interval.high);
}

IntervalScale interval_scale(const Table& table) {
  double farthest = 2 * std::log1p(stats::JudgeOptions{}.margin);
  for (const TableRow& row : table.rows)
    for (const Summary* summary : {&row.write, &row.read})
      if (summary->judgement && has_interval(*summary->judgement))
        farthest = std::max({farthest, -std::log(summary->judgement->interval95.low),
                             std::log(summary->judgement->interval95.high)});
  return {std::exp(-farthest), std::exp(farthest)};
}

std::string draw_interval(const stats::Judgement& judgement, const IntervalScale& scale) {
  const double margin = stats::JudgeOptions{}.margin;
  const double from = at(1 / (1 + margin), scale), to = at(1 + margin, scale);
  return fmt::format(
      "<svg class=\"interval\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "aria-label=\"{2}\"><rect class=\"margin\" x=\"{3:.1f}\" y=\"0\" width=\"{4:.1f}\" "
      "height=\"{1}\"/><path class=\"zero\" d=\"M{5:.1f},0v{1}\"/><path class=\"range\" "
      "d=\"M{6:.1f},{7}H{8:.1f}\"/><circle class=\"ratio\" cx=\"{9:.1f}\" cy=\"{7}\" r=\"3.5\"/>"
      "</svg>",
      kWidth, kHeight, html_text(stats::describe_interval(judgement.interval95)), from, to - from,
      at(1, scale), at(judgement.interval95.low, scale), kHeight / 2,
      at(judgement.interval95.high, scale), at(judgement.ratio, scale));
}

}  // namespace lab::analysis::html
