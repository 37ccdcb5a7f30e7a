#include <array>
#include <utility>

#include "analysis/profile/number.h"
#include "analysis/profile/parser.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis::profile {
namespace {

constexpr std::string_view kTotal = "Total: ";
constexpr double kMebi = 1048576;

struct Total {
  double value;
  std::string_view unit;
};

std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

std::optional<Total> parse_total(std::string_view line) {
  if (!line.starts_with(kTotal)) return {};
  line.remove_prefix(kTotal.size());
  const std::optional<double> value = decimal(take_word(line));
  const std::string_view unit = trim(line);
  if (!value || unit.empty() || unit.find(' ') != std::string_view::npos) return {};
  return Total{*value, unit};
}

std::optional<double> percent(std::string_view word) {
  if (!word.ends_with('%')) return {};
  word.remove_suffix(1);
  return decimal(word);
}

class PprofTextParser : public Parser {
 public:
  explicit PprofTextParser(Source source) : source_(std::move(source)) {
    profile_.stacks = false;
    process_.named_by_file = true;
  }

  bool line(std::string_view line, uint64_t number) override {
    if (trim(line).empty()) return true;
    // What it says on stderr, into the same file.
    if (line.starts_with("Using local file ") || line.starts_with("Using remote profile "))
      return true;
    if (const std::optional<Total> total = parse_total(line)) {
      if (!profile_.unit.empty())
        throw usage_error("{}:{}: a second profile begins here; give each a file of its own",
                          source_.file, number);
      refuse_negative(total->value, number);
      rounded_ = total->unit == "MB";
      process_.total = process_.in_focus = total->value * (rounded_ ? kMebi : 1);
      profile_.unit = rounded_ || total->unit == "B" ? "bytes" : std::string(total->unit);
      return true;
    }
    return !profile_.unit.empty() && row(line, number);
  }

  Profile finish() override {
    for (auto& [name, place] : process_.places) {
      // Names that were shortened may be those of several functions, one below the other.
      place.inclusive = std::min(place.inclusive, process_.total);
      place.self = std::min(place.self, process_.total);
      if (is_unresolved(name)) process_.unresolved += place.self;
    }
    profile_.processes.emplace(source_.process, std::move(process_));
    return std::move(profile_);
  }

 private:
  void refuse_negative(double value, uint64_t number) const {
    if (value < 0)
      throw usage_error(
          "{}:{}: a negative figure, so this is the difference of two profiles, of which no shares "
          "can be told: give both, the older one with --base",
          source_.file, number);
  }

  bool row(std::string_view line, uint64_t number) {
    const std::optional<double> flat = decimal(take_word(line));
    const std::optional<double> flat_percent = percent(take_word(line));
    const std::optional<double> sum_percent = percent(take_word(line));
    const std::optional<double> cum = decimal(take_word(line));
    const std::optional<double> cum_percent = percent(take_word(line));
    const std::string_view name = trim(line);
    if (!flat || !flat_percent || !sum_percent || !cum || !cum_percent || name.empty())
      return false;
    refuse_negative(std::min(*flat, *cum), number);
    // A tenth of a MB may be more than a tenth of a percent.
    const auto exact = [&](double value, double of_total) {
      return rounded_ ? of_total / 100 * process_.total : value;
    };
    const double inclusive = exact(*cum, *cum_percent);
    const double self = exact(*flat, *flat_percent);
    if (inclusive < 0 || inclusive > process_.total || self < 0 || self > process_.total)
      return false;
    Place& place = process_.places[std::string(name)];
    place.inclusive += inclusive;
    place.self += self;
    return true;
  }

  Source source_;
  Profile profile_;
  Process process_;
  bool rounded_ = false;
};

}  // namespace

bool is_pprof_total(std::string_view line) { return parse_total(line).has_value(); }

std::unique_ptr<Parser> pprof_text_parser(Source source) {
  return std::make_unique<PprofTextParser>(std::move(source));
}

}  // namespace lab::analysis::profile
