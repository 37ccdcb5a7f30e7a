#include "analysis/mark_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::analysis {
namespace {

// Inserts into an ascending list, once.
template <typename T>
void insert_once(std::vector<T>& list, T value) {
  auto at = std::lower_bound(list.begin(), list.end(), value);
  if (at == list.end() || *at != value) list.insert(at, value);
}

}  // namespace

std::string ranges(const std::vector<unsigned>& numbers) {
  std::string out;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!out.empty()) out += ", ";
    out +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return out;
}

void MarkList::add(std::vector<size_t>& owner, const results::Mark& mark, unsigned run) {
  auto found = std::find_if(marks_.begin(), marks_.end(),
                            [&](const TableMark& m) { return m.mark == mark; });
  if (found == marks_.end()) found = marks_.insert(marks_.end(), TableMark{mark, {}});
  if (run != 0) insert_once(found->runs, run);
  insert_once(owner, static_cast<size_t>(found - marks_.begin()));
}

std::string legend_text(const TableMark& mark) {
  if (mark.runs.empty()) return mark.mark.text;
  return fmt::format("run{} {}: {}", mark.runs.size() == 1 ? "" : "s", ranges(mark.runs),
                     mark.mark.text);
}

}  // namespace lab::analysis
