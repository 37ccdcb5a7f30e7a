// Target nbd: an NBD export through fio's nbd engine, such as an RBD image behind
// qemu-storage-daemon: the way that a virtual machine's disk takes, without the machine.
#pragma once

#include "runner/target/filled_target.h"

namespace lab {

class NbdTarget : public FilledTarget {
 public:
  NbdTarget(std::string uri, uint64_t span_bytes, std::vector<std::string> destroy)
      : FilledTarget("NBD export", span_bytes, std::move(destroy)), uri_(std::move(uri)) {}

  void claim(const JobFile& job) override;
  void finish() override {}

 private:
  std::vector<JobOption> options(const JobFile& job) const override;

  std::string uri_;
};

}  // namespace lab
