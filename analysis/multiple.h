// Many comparisons in one table: the more there are, the more differ by chance.
#pragma once

#include <vector>

namespace lab::stats {

// Holm's step-down correction (1979, Scand. J. Statist. 6, 65-70): adjusted p values in
// the order given. Calling different whatever is <= alpha keeps the probability of even
// one false "different" below alpha, however the comparisons depend on each other.
// NaN (no comparison was possible) stays NaN and doesn't count.
std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace lab::stats
