#include "analysis/render/json_number.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace lab::analysis {

OrderedJson json_number(std::optional<double> value) {
  if (!value || std::isnan(*value)) return nullptr;
  return std::stod(fmt::format("{:.6g}", *value));
}

}  // namespace lab::analysis
