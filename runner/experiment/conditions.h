// Under which conditions a table was measured: what its header prints.
#pragma once

#include "results/manifest.h"
#include "runner/experiment/prepared.h"
#include "runner/target/target.h"

namespace lab {

results::TextList conditions_of(const Prepared& prepared, Target& target);

}  // namespace lab
