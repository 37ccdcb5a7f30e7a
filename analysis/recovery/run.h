// What one recovery was: how long it took, what memory each daemon had in its phases, and what
// clients saw of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/histogram.h"
#include "results/recovery.h"
#include "results/run_record.h"

namespace lab::analysis {

// Bytes of VmRSS. None where the daemon was not sampled then, as one that failed.
struct RecoveryMemory {
  std::optional<double> baseline;  // mean of the baseline phase
  std::optional<double> peak;      // highest from the failure until all is clean
  std::optional<double> clean;     // last before all was clean
  std::optional<double> cooled;    // last of the cool-down
  // What was not given back: cooled - baseline; may be negative.
  std::optional<double> kept() const;
};

// What clients did in one phase.
struct RecoveryClient {
  double seconds = 0;  // that the job ran in it
  Histogram write, read;

  std::optional<double> iops(const Histogram& clat) const;
};

struct RecoveryRun {
  results::RecoveryRecord record;
  // In seconds since the recovery began (marked out, or started anew); none: see the record.
  std::optional<double> to_clean_s, to_degraded_gone_s, to_misplaced_gone_s;
  std::optional<double> bytes_per_s;  // recovered, on average until all was clean
  std::map<std::string, RecoveryMemory> daemons;
  std::map<std::string, RecoveryClient> clients;  // by phase
  std::vector<std::string> warnings;              // of what could not be read

  // Mean and most over the OSDs that did not fail; none without any.
  std::optional<double> mean(std::optional<double> RecoveryMemory::*figure) const;
  std::optional<double> most(std::optional<double> RecoveryMemory::*figure) const;
  // As mean(), of what was kept.
  std::optional<double> mean_kept() const;
  bool failed(const std::string& daemon) const;  // on purpose
};

// From the raw files of a run's folder. Throws lab::Error for files that cannot be read at all.
RecoveryRun load_recovery_run(const fs::path& folder, results::RecoveryRecord record);
// The same without what clients saw, which is most of the data.
RecoveryRun load_recovery_memory(const fs::path& folder, results::RecoveryRecord record);

}  // namespace lab::analysis
