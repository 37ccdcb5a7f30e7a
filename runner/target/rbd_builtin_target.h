// Target rbd-builtin: an image through the rbd engine that fio itself has, for comparison.
#pragma once

#include <map>
#include <optional>

#include "engines/rbd/effective.h"
#include "runner/base/temporary_directory.h"
#include "runner/target/image_target.h"

namespace lab {

// That engine takes no configuration, so its settings go through the environment, and
// what is in effect is read from the process's own admin sockets while it runs.
class RbdBuiltinTarget : public ImageTarget {
 public:
  using ImageTarget::ImageTarget;
  void claim(const JobFile& job) override;
  FioInput arrange(JobFile job, const Cell& cell, const fs::path& run_directory) override;
  void observe(pid_t fio) override;
  std::vector<results::SettingProof> verify(const Cell& cell,
                                            const fs::path& run_directory) override;

 private:
  std::optional<TemporaryDirectory> sockets_;
  std::vector<std::string> asked_options_;
  // By socket: one connection of the fio process each.
  std::map<std::string, rbd::EffectiveOptions> seen_;
  std::map<std::string, bool> object_cacher_;
};

}  // namespace lab
