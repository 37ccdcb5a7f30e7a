// Statistics as JSON numbers.
#pragma once

#include <optional>

#include "runner/base/json.h"

namespace lab::analysis {

// Six significant digits, since the last ones of a statistic are the compiler's; null for none,
// and for what is no number.
OrderedJson json_number(std::optional<double> value);

}  // namespace lab::analysis
