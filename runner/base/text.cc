#include "runner/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace lab {
namespace {

// Damerau-Levenshtein distance, optimal string alignment.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// The leading decimal number of `text`; what follows is left in `text`.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || end == text.data() || !std::isfinite(value) || value < 0) return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    size_t distance = edit_distance(lower(word), lower(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::optional<uint64_t> parse_bytes(std::string_view text) {
  text = trim(text);
  auto value = take_number(text);
  if (!value) return {};
  std::string unit = lower(trim(text));
  if (!unit.empty() && unit.back() == 'b') unit.pop_back();
  if (!unit.empty() && unit.back() == 'i') unit.pop_back();
  static constexpr std::string_view units = "kmgtp";
  double factor = 1;
  if (!unit.empty()) {
    size_t power = unit.size() == 1 ? units.find(unit[0]) : std::string_view::npos;
    if (power == std::string_view::npos) return {};
    factor = std::pow(1024.0, static_cast<double>(power + 1));
  }
  double bytes = *value * factor;
  if (bytes >= 9.2e18) return {};
  return static_cast<uint64_t>(std::llround(bytes));
}

std::string format_bytes(uint64_t bytes) {
  static constexpr std::array<const char*, 6> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  uint64_t scale = 1;
  while (unit + 1 < units.size() && bytes / scale >= 1024) {
    scale *= 1024;
    ++unit;
  }
  if (bytes % scale == 0) return fmt::format("{} {}", bytes / scale, units[unit]);
  return fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(scale),
                     units[unit]);
}

std::optional<double> parse_seconds(std::string_view text) {
  text = trim(text);
  auto value = take_number(text);
  if (!value) return {};
  std::string unit = lower(trim(text));
  if (unit.empty() || unit == "s") return *value;
  if (unit == "ms") return *value / 1000;
  if (unit == "us") return *value / 1e6;
  if (unit == "m") return *value * 60;
  if (unit == "h") return *value * 3600;
  if (unit == "d") return *value * 86400;
  return {};
}

std::optional<double> parse_percent(std::string_view text) {
  text = trim(text);
  const auto value = take_number(text);
  text = trim(text);
  if (!value || !(*value > 0) || *value >= 100 || (!text.empty() && text != "%")) return {};
  return *value / 100;
}

std::string last_lines(std::string_view text, size_t lines) {
  std::vector<std::string> kept;
  for (const std::string& line : split(text, '\n'))
    if (std::string_view words = trim(line); !words.empty()) kept.emplace_back(words);
  if (kept.size() > lines) kept.erase(kept.begin(), kept.end() - static_cast<long>(lines));
  return join(kept, "; ");
}

std::string_view trim(std::string_view text) {
  auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string first_few(const std::vector<std::string>& list, size_t most) {
  if (list.size() <= most) return join(list, ", ");
  const std::vector<std::string> first(list.begin(), list.begin() + static_cast<ptrdiff_t>(most));
  return fmt::format("{} and {} more", join(first, ", "), list.size() - most);
}

}  // namespace lab
