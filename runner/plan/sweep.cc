#include "runner/plan/sweep.h"

#include <algorithm>
#include <cctype>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/plan/rewrite.h"

namespace lab {
namespace {

// Enough for any curve; more is a slip, and would run for days.
constexpr size_t kMostLevels = 64;

uint64_t number(std::string_view sweep, std::string_view text) {
  const auto value = parse_bytes(trim(text));
  if (!value || *value == 0)
    throw usage_error("--sweep={}: \"{}\" is no number above 0, such as 32 or 64k", sweep,
                      trim(text));
  return *value;
}

// `1..256`, `100..500+100`; empty if there is no range in the text.
std::vector<uint64_t> range(std::string_view sweep, std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {};
  const uint64_t first = number(sweep, text.substr(0, dots));
  std::string_view rest = text.substr(dots + 2);
  uint64_t step = 0;
  if (const size_t plus = rest.find('+'); plus != std::string_view::npos) {
    step = number(sweep, rest.substr(plus + 1));
    rest = rest.substr(0, plus);
  }
  const uint64_t last = number(sweep, rest);
  if (last <= first)
    throw usage_error("--sweep={}: {} is not above {}; write the smaller one first", sweep,
                      trim(rest), trim(text.substr(0, dots)));
  std::vector<uint64_t> values;
  for (uint64_t value = first; value < last && values.size() <= kMostLevels;
       value = step > 0 ? value + step : value * 2)
    values.push_back(value);
  values.push_back(last);
  return values;
}

}  // namespace

Factor parse_sweep(std::string_view text) {
  const size_t equals = text.find('=');
  const std::string option = canonical_option(trim(text.substr(0, equals)));
  if (equals == std::string_view::npos || option.empty())
    throw usage_error(
        "--sweep={}: write OPTION=VALUES, e.g. iodepth=1..256, rate_iops=100..500+100, "
        "bs=4k,64k,1m",
        text);
  const std::string_view list = text.substr(equals + 1);
  std::vector<uint64_t> values = range(text, list);
  if (values.empty())
    for (const std::string& part : split(std::string(list), ','))
      values.push_back(number(text, part));
  if (values.size() < 2 || values.size() > kMostLevels)
    throw usage_error("--sweep={}: {} values; a sweep has 2 to {}", text,
                      values.size() > kMostLevels ? "too many" : "too few", kMostLevels);
  // As they were written: 1024 is not to become 1k.
  const bool letters =
      std::any_of(list.begin(), list.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
  Factor factor;
  factor.name = option;
  factor.title = fmt::format("fio's {} over a range", option);
  for (uint64_t value : values) {
    Level level;
    level.name = letters ? fio_size(value) : std::to_string(value);
    level.label = option + "_" + level.name;
    level.settings.push_back(JobOptions{{{option, level.name}}});
    if (std::any_of(factor.levels.begin(), factor.levels.end(),
                    [&](const Level& other) { return other.name == level.name; }))
      throw usage_error("--sweep={}: {} stands twice", text, level.name);
    factor.levels.push_back(std::move(level));
  }
  return factor;
}

}  // namespace lab
