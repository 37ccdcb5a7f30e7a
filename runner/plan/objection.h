// Matrices that are known to compare nothing, before anything is run.
#pragma once

#include <optional>
#include <string>

#include "runner/plan/job_file.h"
#include "runner/plan/matrix.h"

namespace lab {

// Why the cells' differences would not reach the I/O on this target; none if they do.
std::optional<std::string> objection_to(const std::string& target, const JobFile& job,
                                        const std::vector<Cell>& cells);

}  // namespace lab
