#include "runner/fio/eta.h"

#include <charconv>
#include <string>

#include "runner/base/text.h"

namespace lab {
namespace {

// fio shortens with decimal units: 1428k, 1.2M.
std::optional<double> parse_count(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (unit == "k") return value * 1e3;
  if (unit == "M") return value * 1e6;
  if (unit == "G") return value * 1e9;
  return unit.empty() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<LiveFigures> parse_eta(std::string_view text) {
  static constexpr std::string_view kEnd = " IOPS]";
  size_t end = text.rfind(kEnd);
  if (end == std::string_view::npos) return {};
  size_t begin = text.rfind('[', end);
  if (begin == std::string_view::npos) return {};
  LiveFigures figures;
  for (const std::string& part : split(text.substr(begin + 1, end - begin - 1), ',')) {
    auto count = part.size() > 2 ? parse_count(std::string_view(part).substr(2)) : std::nullopt;
    if (!count) return {};
    if (part.starts_with("r=")) figures.read_iops = *count;
    if (part.starts_with("w=")) figures.write_iops = *count;
  }
  // Stands before the figures in the same line; fio writes "-.-" while it does not know.
  size_t percent = text.rfind("%][", begin);
  size_t open = percent == std::string_view::npos ? percent : text.rfind('[', percent);
  if (open != std::string_view::npos)
    figures.done = parse_count(text.substr(open + 1, percent - open - 1)).value_or(0) / 100;
  return figures;
}

}  // namespace lab
