// What went wrong, each once, however often it did and in whichever thread.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace lab::sampling {

class Complaints {
 public:
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (told_.size() == kMost || !told_.insert(text).second) return;
    texts_.push_back(told_.size() == kMost ? "further complaints are not kept" : text);
  }

  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  static constexpr size_t kMost = 1000;
  mutable std::mutex mutex_;
  std::set<std::string> told_;
  std::vector<std::string> texts_;
};

}  // namespace lab::sampling
