#include "analysis/render/comparison.h"

#include <cmath>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {

const std::vector<std::string>& comparison_format_names() {
  static const std::vector<std::string> names = {"table", "markdown", "csv", "json"};
  return names;
}

std::string render_comparison(const Comparison& comparison, const std::string& format,
                              const RenderOptions& options) {
  if (format == "table") return comparison_table(comparison, options);
  if (format == "markdown") return comparison_markdown(comparison);
  if (format == "csv") return comparison_csv(comparison);
  if (format == "json") return comparison_json(comparison);
  throw usage_error("--format={}: unknown; one of {}", format,
                    join(comparison_format_names(), ", "));
}

std::string change_text(const stats::Judgement& judgement) {
  if (std::isnan(judgement.ratio)) return "-";
  return fmt::format("{:+.1f}", (judgement.ratio - 1) * 100);
}

std::string interval_text(const stats::Judgement& judgement) {
  if (std::isnan(judgement.interval95.low) || std::isnan(judgement.ratio)) return "-";
  return fmt::format("{:+.1f} to {:+.1f}", (judgement.interval95.low - 1) * 100,
                     (judgement.interval95.high - 1) * 100);
}

std::string outcome_text(const stats::Judgement& judgement) {
  switch (judgement.verdict) {
    case stats::Verdict::no_statement:
      return "-";
    case stats::Verdict::different:
      return std::string(judgement.better ? "better" : "worse") +
             (judgement.beyond_margin ? "" : ", margin open");
    case stats::Verdict::below_margin:
      return "below the margin";
    default:
      return to_text(judgement.verdict);
  }
}

}  // namespace lab::analysis
