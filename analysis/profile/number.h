// Numbers as profilers write them.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace lab::analysis::profile {

// The whole text as a decimal number, no exponent; no larger than what a double counts exactly,
// so that sums stay finite.
inline std::optional<double> decimal(std::string_view text) {
  constexpr double kMost = 9007199254740992.0;  // 2^53
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() || !(std::abs(value) <= kMost))
    return {};
  return value;
}

}  // namespace lab::analysis::profile
