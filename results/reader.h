// Reads a result directory: the only way by which analysis learns of a measurement.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/effective.h"
#include "results/manifest.h"
#include "results/plan.h"
#include "results/run_record.h"

namespace lab::results {

// A run whose folder is complete, with where its raw files are.
struct FinishedRun {
  RunRecord record;
  fs::path folder;
};

class ResultReader {
 public:
  // Throws lab::Error: Exit::environment if the directory cannot be read, Exit::usage if
  // it is no result directory, has another format or a broken manifest or plan. A run
  // that cannot be read does not spoil the rest: it stands in damaged().
  static ResultReader load(const fs::path& directory);
  // Reads what has changed since: new run folders, and the manifest and the plan where they
  // were replaced. Throws as load.
  void refresh();

  const fs::path& directory() const { return directory_; }
  const Manifest& manifest() const { return manifest_; }
  const Plan& plan() const { return plan_; }

  // One for each planned run that was finished, well or badly, in order of index; of
  // several attempts the last.
  const std::vector<FinishedRun>& runs() const { return runs_; }
  const FinishedRun* find(unsigned index) const;

  // Run folders that could not be read, each with the reason.
  const std::vector<std::string>& damaged() const { return damaged_; }

 private:
  void read_plan();
  void read_new_runs();

  fs::path directory_;
  Manifest manifest_;
  Plan plan_;
  std::string plan_text_;
  std::vector<FinishedRun> runs_;
  std::vector<std::string> damaged_;
  std::set<std::string> known_;  // names of the run folders that were read
};

// effective.jsonl of a run; none where no engine of lab's own was at work.
std::optional<Effective> load_effective(const fs::path& run_folder);

// A file of a run folder as text; none if it is not there.
std::optional<std::string> load_optional(const fs::path& path);

// Is there a result directory here? Looks for its manifest only.
bool is_result_directory(const fs::path& directory);

}  // namespace lab::results
