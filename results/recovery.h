// What befell the cluster during a run of `lab recovery`: recovery.json and recovery.csv of the
// run's folder.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/csv_line.h"
#include "runner/base/json.h"

namespace lab::results {

// In the order of time; each ends where the next begins.
struct RecoveryPhase {
  std::string name;    // baseline, failure, recovering, clean, cool-down
  double begin_s = 0;  // all times: since the samples of samples.csv began
  std::string begin;   // ISO 8601, UTC

  bool operator==(const RecoveryPhase&) const = default;
};

struct RecoveryOption {
  std::string value;
  std::string source;

  bool operator==(const RecoveryOption&) const = default;
};

struct RecoveryRecord {
  std::string method;     // stop, out, rebuild, host
  std::vector<int> osds;  // that failed
  bool load = true;       // did the job run meanwhile?
  std::vector<RecoveryPhase> phases;
  double end_s = 0;
  std::string end;
  // When there were no degraded, no misplaced objects any more, and all placement groups were
  // active+clean: for good, that is, up to the end. None: not reached, or there were none.
  std::optional<double> degraded_gone_s, misplaced_gone_s, clean_s;
  // Of all pools from the failure to `clean_s`, as the placement groups count it.
  std::optional<uint64_t> recovered_objects, recovered_bytes;
  // Options of the OSDs that recovery depends on, of one OSD that did not fail.
  std::map<std::string, RecoveryOption> options;
  // Looks of the sampler that were not made, and readings of a daemon that was there and gave none.
  uint64_t looks_missed = 0;
  std::map<std::string, uint64_t> samples_missed;

  // None if it was not begun.
  const RecoveryPhase* phase(std::string_view name) const;
  // Where the phase ends; none if it was not begun.
  std::optional<double> end_of(std::string_view name) const;

  bool operator==(const RecoveryRecord&) const = default;
};

// Throws lab::Error (Exit::usage) naming file, line and key.
RecoveryRecord recovery_record_from_json(const JsonDocument& document);
OrderedJson to_json(const RecoveryRecord& record);

// Did anything befall the cluster in the run of this folder?
bool has_recovery(const fs::path& folder);
// Of a run's folder; none if nothing befell the cluster in it. Throws as recovery_record_from_json.
std::optional<RecoveryRecord> load_recovery(const fs::path& folder);
void save_recovery(const fs::path& folder, const RecoveryRecord& record);

// The cluster at one moment. Objects are counted once for each copy that is missing or at the
// wrong place; what was recovered is counted since the pools were made.
struct RecoveryPoint {
  double time_s = 0;
  uint64_t degraded_objects = 0;
  uint64_t misplaced_objects = 0;
  uint64_t unclean_pgs = 0;
  uint64_t recovered_objects = 0;
  uint64_t recovered_bytes = 0;

  bool operator==(const RecoveryPoint&) const = default;
};

class RecoveryLog {
 public:
  // Begins `folder`/recovery.csv. A file that cannot be written is no reason to lose the run.
  explicit RecoveryLog(const fs::path& folder);
  void add(const RecoveryPoint& point);

 private:
  std::ofstream out_;
};

// The points of a run's folder, one after the other; none if there is no file.
class RecoveryPoints {
 public:
  explicit RecoveryPoints(const fs::path& folder);
  // False at the end. Lines that cannot be read are counted and passed over. Throws lab::Error
  // (Exit::environment) if the file cannot be read.
  bool next(RecoveryPoint& point);
  const DamagedLines& damaged() const { return damaged_; }

 private:
  CsvLines lines_;
  DamagedLines damaged_;
};

}  // namespace lab::results
