#include "analysis/profile/tally.h"

#include <algorithm>

namespace lab::analysis::profile {

uint32_t Tally::id(std::string_view name) {
  auto found = ids_.find(name);
  if (found == ids_.end()) {
    found = ids_.emplace(name, static_cast<uint32_t>(functions_.size())).first;
    functions_.push_back(
        {found->first, is_unresolved(name), name.find(focus_) != std::string_view::npos});
  }
  return found->second;
}

void Tally::add(Counts& counts, const std::vector<uint32_t>& stack, double weight) {
  if (stack.empty()) return add(counts, {id(kNoStack)}, weight);
  counts.total_ += weight;
  if (functions_[stack.front()].unresolved) counts.unresolved_ += weight;
  if (std::none_of(stack.begin(), stack.end(),
                   [&](uint32_t function) { return functions_[function].in_focus; }))
    return;
  counts.in_focus_ += weight;
  counts.places_[stack.front()].self += weight;
  ++stacks_;
  for (uint32_t function : stack) {
    if (functions_[function].last_stack == stacks_) continue;
    functions_[function].last_stack = stacks_;
    counts.places_[function].inclusive += weight;
  }
}

Process Tally::process(const Counts& counts) const {
  Process process;
  process.total = counts.total_;
  process.in_focus = counts.in_focus_;
  process.unresolved = counts.unresolved_;
  for (const auto& [function, place] : counts.places_)
    process.places.emplace(functions_[function].name, place);
  return process;
}

}  // namespace lab::analysis::profile
