// Target rbd-builtin: an image through the rbd engine that fio itself has, for comparison.
#pragma once

#include <map>

#include "engines/rbd/effective.h"
#include "runner/target/ceph_side.h"
#include "runner/target/rbd_data.h"
#include "runner/target/target.h"

namespace lab {

// That engine takes no configuration, so its settings go through the environment, and
// what is in effect is read from the process's own admin sockets while it runs.
class RbdBuiltinTarget : public Target {
 public:
  RbdBuiltinTarget(ceph::Cluster& cluster, RbdData data) : side_(cluster), data_(std::move(data)) {}
  ~RbdBuiltinTarget() override { remove_sockets(); }

  std::string name() const override { return "rbd-builtin"; }
  void claim(const JobFile& job) override;
  void prepare(const PrepareProgress& progress) override;
  results::TextList conditions() override { return side_.conditions(data_); }
  std::vector<results::OsdRecord> osds() override { return side_.osds(); }
  std::string fsid() const override { return side_.fsid(); }
  void settle() override { side_.settle(); }
  FioInput arrange(JobFile job, const Cell& cell, const fs::path& run_directory) override;
  void observe(pid_t fio) override;
  std::vector<results::SettingProof> verify(const Cell& cell,
                                            const fs::path& run_directory) override;
  void finish() override { data_.remove(); }

 private:
  void remove_sockets();

  CephSide side_;
  RbdData data_;
  fs::path sockets_;
  std::vector<std::string> asked_options_;
  // By socket: one connection of the fio process each.
  std::map<std::string, rbd::EffectiveOptions> seen_;
  std::map<std::string, bool> object_cacher_;
};

}  // namespace lab
