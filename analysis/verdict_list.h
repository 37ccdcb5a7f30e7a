// Many judgements in one sentence: what is better, what is worse, what is open.
#pragma once

#include <string>
#include <vector>

#include "analysis/verdict.h"

namespace lab::analysis {

class VerdictList {
 public:
  // `figure` of `name`: "write IOPS" of "4k-rbd_cache_off".
  void add(const stats::Judgement& judgement, const std::string& figure, const std::string& name);

  // No verdict was added, of whatever kind.
  bool empty() const;

  // "Against BASELINE, better: write IOPS of writeback (+32.2%); undecided: …"; of long lists
  // the first few and how many more. No full stop. Where all had
  // too few repetitions it says that; empty if nothing was added.
  std::string sentence(const std::string& baseline) const;

 private:
  std::vector<std::string> better_, worse_, small_, equal_, open_;
  size_t few_ = 0;
};

}  // namespace lab::analysis
