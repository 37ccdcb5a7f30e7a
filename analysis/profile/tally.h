// Adds up stacks, one after the other: memory grows with the number of functions, not of
// samples.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/profile/profile.h"

namespace lab::analysis::profile {

class Tally {
 public:
  // Only stacks that hold a frame whose name contains `focus` count for places; empty: all.
  explicit Tally(std::string focus) : focus_(std::move(focus)) {}

  // What is known of one process so far.
  class Counts {
    friend class Tally;
    double total_ = 0, in_focus_ = 0, unresolved_ = 0;
    std::unordered_map<uint32_t, Place> places_;
  };

  // The number of a function, for add.
  uint32_t id(std::string_view name);

  // A stack, innermost frame first, that was seen `weight` times or holds as many bytes. Without
  // frames it counts for kNoStack.
  void add(Counts& counts, const std::vector<uint32_t>& stack, double weight);

  Process process(const Counts& counts) const;

 private:
  struct Function {
    std::string_view name;  // in ids_
    bool unresolved;
    bool in_focus;
    uint64_t last_stack = 0;  // in which it was counted
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::string focus_;
  std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> ids_;
  std::vector<Function> functions_;
  uint64_t stacks_ = 0;
};

}  // namespace lab::analysis::profile
