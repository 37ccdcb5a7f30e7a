// A comparison as text: the forms of `lab compare`.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare.h"
#include "analysis/render/renderer.h"

namespace lab::analysis {

// Of those that format_from_text knows: table, markdown, csv, json.
const std::vector<std::string>& comparison_format_names();

// With a final newline; hostile texts are made harmless for the form. `format` is one of the
// names above, anything else throws lab::Error (Exit::usage).
std::string render_comparison(const Comparison& comparison, const std::string& format,
                              const RenderOptions& options = {});

// "+12.3"; "-" where there is nothing to compare.
std::string change_text(const stats::Judgement& judgement);
// "+9.8 to +14.9", percent; or "-".
std::string interval_text(const stats::Judgement& judgement);
// "better", "worse, margin open", "inconclusive", …; "-" without a statement.
std::string outcome_text(const stats::Judgement& judgement);

// Shared by the forms; use render_comparison.
std::string comparison_table(const Comparison& comparison, const RenderOptions& options);
std::string comparison_markdown(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace lab::analysis
