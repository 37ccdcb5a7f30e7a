#include "analysis/render/field.h"

#include <fmt/format.h>

#include <cmath>

namespace lab::analysis {

Field number_field(std::optional<double> value, int decimals) {
  return {value && !std::isnan(*value) ? fmt::format("{:.{}f}", *value, decimals) : "", true};
}

Field count_field(uint64_t value) { return {fmt::format("{}", value), true}; }

}  // namespace lab::analysis
