#include <algorithm>
#include <utility>

#include "analysis/profile/number.h"
#include "analysis/profile/parser.h"
#include "analysis/profile/tally.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis::profile {
namespace {

// At 499 samples a second this is more than five hours of a busy core: rather bytes.
constexpr double kMostSamples = 1e7;

struct CollapsedLine {
  std::string_view stack;
  double weight;
};

std::optional<CollapsedLine> parse(std::string_view line) {
  line = trim(line);
  const size_t blank = line.find_last_of(" \t");
  if (blank == std::string_view::npos) return {};
  const std::optional<double> weight = decimal(line.substr(blank + 1));
  if (!weight) return {};
  return CollapsedLine{trim(line.substr(0, blank)), *weight};
}

class CollapsedParser : public Parser {
 public:
  CollapsedParser(Source source, const std::string& focus, std::string unit)
      : source_(std::move(source)), unit_(std::move(unit)), tally_(focus) {}

  bool line(std::string_view line, uint64_t number) override {
    if (trim(line).empty()) return true;
    const std::optional<CollapsedLine> parsed = parse(line);
    if (!parsed) return false;
    if (parsed->weight < 0)
      throw usage_error(
          "{}:{}: a negative count, so this is the difference of two profiles, of which no shares "
          "can be told: give both, the older one with --base",
          source_.file, number);
    stack_.clear();
    std::string_view rest = parsed->stack;
    for (;;) {
      const size_t end = std::min(rest.find(';'), rest.size());
      stack_.push_back(tally_.id(frame_name(trim(rest.substr(0, end)))));
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
    std::reverse(stack_.begin(), stack_.end());
    tally_.add(counts_, stack_, parsed->weight);
    return true;
  }

  Profile finish() override {
    Profile profile;
    Process& process = profile.processes[source_.process] = tally_.process(counts_);
    process.named_by_file = true;
    profile.unit = unit_.empty() ? "samples" : unit_;
    if (unit_.empty() && process.total > kMostSamples) {
      profile.unit = "counts";
      profile.notes.push_back(fmt::format(
          "{}: collapsed stacks don't tell what they count, and {:.0f} are many for samples: no "
          "intervals without --unit=samples or --unit=bytes",
          source_.file, process.total));
    }
    return profile;
  }

 private:
  Source source_;
  std::string unit_;
  Tally tally_;
  Tally::Counts counts_;
  std::vector<uint32_t> stack_;
};

}  // namespace

bool is_collapsed(std::string_view line) { return parse(line).has_value(); }

std::unique_ptr<Parser> collapsed_parser(Source source, const std::string& focus,
                                         std::string unit) {
  return std::make_unique<CollapsedParser>(std::move(source), focus, std::move(unit));
}

}  // namespace lab::analysis::profile
