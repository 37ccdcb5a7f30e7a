#include "analysis/multiple.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lab::stats {

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<size_t> order;
  for (size_t i = 0; i < p_values.size(); ++i)
    if (!std::isnan(p_values[i])) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted = p_values;
  double least = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    double p = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    // Never below that of a smaller p value.
    least = std::max(least, std::min(p, 1.0));
    adjusted[order[rank]] = least;
  }
  return adjusted;
}

}  // namespace lab::stats
