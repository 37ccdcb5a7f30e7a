// Target block: a block device of this host, such as an attached volume.
#pragma once

#include <optional>

#include "runner/target/block_guard.h"
#include "runner/target/target.h"

namespace lab {

class BlockTarget : public Target {
 public:
  // `span_bytes`: how much of the device the job needs; 0: all of it.
  BlockTarget(std::string device, uint64_t span_bytes, std::vector<std::string> destroy)
      : device_(std::move(device)), span_bytes_(span_bytes), destroy_(std::move(destroy)) {}

  std::string name() const override { return "block"; }
  // Claims the device: from here on nobody can mount it.
  void claim(const JobFile& job) override;
  void prepare(const PrepareProgress& progress) override;
  results::TextList conditions() override;
  std::vector<results::Mark> settle(const std::function<void(const std::string&)>&) override {
    return {};
  }
  FioInput arrange(JobFile job, const Cell& cell, const fs::path& run_directory) override;
  void finish() override { claim_.reset(); }

 private:
  std::string device_;
  uint64_t span_bytes_;
  std::vector<std::string> destroy_;
  std::optional<BlockClaim> claim_;
  uint64_t filled_bytes_ = 0;
};

}  // namespace lab
