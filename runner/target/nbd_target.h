// Target nbd: an NBD export through fio's nbd engine, such as an RBD image behind
// qemu-storage-daemon: the way that a virtual machine's disk takes, without the machine.
#pragma once

#include "runner/target/target.h"

namespace lab {

class NbdTarget : public Target {
 public:
  NbdTarget(std::string uri, uint64_t span_bytes, std::vector<std::string> destroy)
      : uri_(std::move(uri)), span_bytes_(span_bytes), destroy_(std::move(destroy)) {}

  std::string name() const override { return "nbd"; }
  void claim(const JobFile& job) override;
  void prepare(const PrepareProgress& progress) override;
  results::TextList conditions() override;
  std::vector<results::Mark> settle(const std::function<void(const std::string&)>&) override {
    return {};
  }
  FioInput arrange(JobFile job, const Cell& cell, const fs::path& run_directory) override;
  void finish() override {}

 private:
  std::string uri_;
  uint64_t span_bytes_;
  std::vector<std::string> destroy_;
  uint64_t size_bytes_ = 0;
  uint64_t filled_bytes_ = 0;
};

}  // namespace lab
