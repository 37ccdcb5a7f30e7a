// What a validation has found, as one text to attach to a change request.
#pragma once

#include <string>

#include "analysis/gate.h"
#include "runner/base/file.h"
#include "runner/plan/matrix.h"

namespace lab::rollout {

struct ReportParts {
  Factor factor;       // of two levels: from, to
  std::string canary;  // the OSD that went first
  // Result directories of the steps; empty: there was no such step.
  fs::path canary_results, volume_results, recovery_results;
};

// Markdown: the decision with its reasons, what the canary proved, the tables, and how the change
// is made permanent. Throws lab::Error for results that can't be read.
std::string report_text(const ReportParts& parts, const analysis::Decision& decision);

}  // namespace lab::rollout
