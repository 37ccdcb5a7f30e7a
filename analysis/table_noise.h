// How much the runs of a table scatter: what the number of repetitions is chosen by.
#pragma once

#include <optional>

#include "analysis/planning.h"
#include "analysis/table.h"

namespace lab::analysis {

// The noisiest figure of the table, as found in the repetitions that it has. None where
// nothing is compared, or with too few of them.
std::optional<stats::PilotNoise> noise_of(const Table& table);

}  // namespace lab::analysis
