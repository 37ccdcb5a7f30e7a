// Target rbd: an image through lab's own fio engine.
#pragma once

#include <chrono>
#include <memory>

#include "engines/io/counters.h"
#include "runner/target/ceph_side.h"
#include "runner/target/rbd_data.h"
#include "runner/target/target.h"

namespace lab {

class RbdTarget : public Target {
 public:
  RbdTarget(ceph::Cluster& cluster, RbdData data) : side_(cluster), data_(std::move(data)) {}

  std::string name() const override { return "rbd"; }
  void claim(const JobFile& job) override;
  void prepare(const PrepareProgress& progress) override;
  results::TextList conditions() override { return side_.conditions(data_); }
  std::vector<results::OsdRecord> osds() override { return side_.osds(); }
  std::string fsid() const override { return side_.fsid(); }
  void settle() override { side_.settle(); }
  FioInput arrange(JobFile job, const Cell& cell, const fs::path& run_directory) override;
  std::optional<LiveFigures> live() override;
  std::vector<results::SettingProof> verify(const Cell& cell,
                                            const fs::path& run_directory) override;
  void finish() override { data_.remove(); }

 private:
  CephSide side_;
  RbdData data_;
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
