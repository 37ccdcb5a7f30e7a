// The table that a rollout needs: recoveries by cell, what they took in time and memory, and what
// of it differs from the baseline.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/recovery/run.h"
#include "analysis/table.h"
#include "analysis/verdict.h"
#include "results/reader.h"

namespace lab::analysis {

// A figure of a recovery by which cells are compared; each recovery is a sample.
struct RecoveryMetric {
  std::string key;   // of columns: "to_clean_s"
  std::string name;  // in sentences: "time to clean"
  stats::Direction direction = stats::Direction::lower_is_better;
  std::function<std::optional<double>(const RecoveryRun&)> sample;  // seconds, bytes, I/Os a second
};
const std::vector<RecoveryMetric>& recovery_metrics();

struct RecoverySummary {
  std::optional<double> value;                // geometric mean of the recoveries
  std::optional<double> spread_percent;       // the one farthest from it; none for one
  std::optional<double> difference;           // of `value` from the baseline's
  std::optional<stats::Judgement> judgement;  // of its ratio to the baseline; none: too few
};

struct RecoveryRepetition {
  unsigned index = 0;
  unsigned block = 0;
  unsigned unit = 0;
  RecoveryRun run;
};

struct RecoveryRow {
  results::Cell cell;
  bool baseline = false;
  std::vector<RecoveryRepetition> repetitions;  // those that went well, in the order of running
  size_t planned = 0;
  size_t failed = 0;
  Proof proof = Proof::nothing_asked;              // the worst of them
  std::map<std::string, RecoverySummary> figures;  // by the metric's key
  std::vector<size_t> marks;                       // indexes of RecoveryTable::table.marks
};

struct RecoveryTable {
  Table table;  // of the job's own figures: title, conditions and marks
  std::vector<RecoveryRow> rows;
  std::vector<std::string> findings;  // a sentence for each judged difference
  std::vector<std::string> warnings;  // of what could not be read
};

// Throws lab::Error (Exit::usage) for a directory that holds no recoveries.
RecoveryTable load_recovery_table(const results::ResultReader& reader);

}  // namespace lab::analysis
