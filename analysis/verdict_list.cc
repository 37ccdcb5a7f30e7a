#include "analysis/verdict_list.h"

#include <fmt/format.h>

#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// "write IOPS of writeback (+32.2%)".
std::string mention(const std::string& figure, const std::string& name, double ratio) {
  const bool times = ratio >= 2 || ratio <= 0.5;
  return fmt::format(
      "{} of {} ({})", figure, name,
      times ? fmt::format("×{:.2f}", ratio) : fmt::format("{:+.1f}%", (ratio - 1) * 100));
}

constexpr size_t kNamed = 6;

}  // namespace

void VerdictList::add(const stats::Judgement& judgement, const std::string& figure,
                      const std::string& name) {
  const std::string text = mention(figure, name, judgement.ratio);
  switch (judgement.verdict) {
    case stats::Verdict::different:
      (judgement.better ? better_ : worse_).push_back(text);
      break;
    case stats::Verdict::below_margin:
      small_.push_back(text);
      break;
    case stats::Verdict::equivalent:
      equal_.push_back(text);
      break;
    case stats::Verdict::inconclusive:
      open_.push_back(text);
      break;
    default:
      ++few_;
  }
}

bool VerdictList::empty() const {
  return better_.empty() && worse_.empty() && small_.empty() && equal_.empty() && open_.empty();
}

std::string VerdictList::sentence(const std::string& baseline) const {
  std::vector<std::string> parts;
  auto part = [&](const char* what, const std::vector<std::string>& list) {
    if (!list.empty()) parts.push_back(fmt::format("{}: {}", what, first_few(list, kNamed)));
  };
  part("better", better_);
  part("worse", worse_);
  part("different, but below the margin", small_);
  part("equivalent", equal_);
  part("undecided", open_);
  if (empty()) return few_ > 0 ? "Too few repetitions for a verdict: it takes 4" : std::string();
  return fmt::format("Against {}, {}", baseline, join(parts, "; "));
}

}  // namespace lab::analysis
