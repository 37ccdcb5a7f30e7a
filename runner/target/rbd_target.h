// Target rbd: an image through lab's own fio engine.
#pragma once

#include <chrono>
#include <memory>

#include "engines/io/counters.h"
#include "runner/target/image_target.h"

namespace lab {

class RbdTarget : public ImageTarget {
 public:
  using ImageTarget::ImageTarget;

  void claim(const JobFile& job) override;
  FioInput arrange(JobFile job, const Cell& cell, const fs::path& run_directory) override;
  std::optional<LiveFigures> live() override;
  std::vector<results::SettingProof> verify(const Cell& cell,
                                            const fs::path& run_directory) override;

 private:
  std::unique_ptr<io::CounterFile> counters_;
  io::CounterTotals last_;
  std::chrono::steady_clock::time_point last_time_;
  std::optional<LiveFigures> shown_;
};

// What effective.jsonl says of a cell's settings: each asked for, found in every job's open
// record or not. Pure.
std::vector<results::SettingProof> prove_by_records(const std::vector<Setting>& settings,
                                                    const std::vector<OrderedJson>& records);

}  // namespace lab
