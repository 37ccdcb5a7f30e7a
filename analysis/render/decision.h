// A go / no-go decision as text: the forms of `lab gate`.
#pragma once

#include <string>
#include <vector>

#include "analysis/gate.h"
#include "analysis/render/renderer.h"

namespace lab::analysis {

// table, markdown, json.
const std::vector<std::string>& decision_format_names();

// With a final newline; in table and markdown the last line is the decision. Hostile texts are
// made harmless for the form. A format that is none of the names throws lab::Error (Exit::usage).
std::string render_decision(const Decision& decision, const std::string& format,
                            const RenderOptions& options = {});

}  // namespace lab::analysis
