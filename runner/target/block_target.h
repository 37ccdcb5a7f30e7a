// Target block: a block device of this host, such as an attached volume.
#pragma once

#include <optional>

#include "runner/target/block_guard.h"
#include "runner/target/filled_target.h"

namespace lab {

class BlockTarget : public FilledTarget {
 public:
  BlockTarget(std::string device, uint64_t span_bytes, std::vector<std::string> destroy)
      : FilledTarget("device", span_bytes, std::move(destroy)), device_(std::move(device)) {}

  // Claims the device: from here on nobody can mount it.
  void claim(const JobFile& job) override;
  void prepare(const PrepareProgress& progress) override;
  void finish() override { claim_.reset(); }

 private:
  std::vector<JobOption> options(const JobFile& job) const override;

  std::string device_;
  std::optional<BlockClaim> claim_;
};

}  // namespace lab
