// Writes one result directory so that whatever ends lab, all finished runs stay
// readable and none is half there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/lock.h"
#include "results/manifest.h"
#include "results/plan.h"
#include "results/run_record.h"

namespace lab::results {

struct WriterOptions {
  // Below this much free space nothing is begun: a full disk would cut off fio's output
  // and with it the run that was just paid for.
  uint64_t min_free_bytes = 64ull << 20;
};

// All functions throw lab::Error: Exit::environment with the path and errno's text where
// the file system refuses, Exit::usage where what is there is no result directory.
class ResultWriter {
 public:
  // Makes `<root>/<UTC time>-<title>-<factors>` (with "-2", "-3", … if it exists) and
  // writes the plan, the job file and last the manifest. An empty manifest.created is
  // filled with the present time.
  static ResultWriter create(const fs::path& root, Manifest manifest, Plan plan,
                             std::string_view job_file, WriterOptions options = {});

  // Throws where create() would for lack of permission or space, and leaves nothing:
  // asked before a cluster is touched.
  static void check_root(const fs::path& root, const WriterOptions& options = {});

  // Goes on with an existing directory. What a killed lab left half-written is removed:
  // temporary folders, and the unfinished last line of events.jsonl.
  static ResultWriter reopen(const fs::path& directory, WriterOptions options = {});

  const fs::path& directory() const { return directory_; }
  const Manifest& manifest() const { return manifest_; }
  const Plan& plan() const { return plan_; }

  // Indexes of the planned runs that need not be run any more, ascending. A failed run
  // is not among them.
  std::vector<unsigned> finished_runs() const;

  // An empty folder for the raw files of the planned run `index`. Only one run is open
  // at a time; beginning another one drops it.
  fs::path begin_run(unsigned index);

  // Adds run.json and moves the folder to its place, synced: from here on the run
  // exists. Cell, block, position and attempt are taken from the plan and the directory,
  // whatever the record says. Returns the final folder.
  fs::path finish_run(RunRecord record);

  // Removes the open run's folder, if any: interrupted, not failed.
  void drop_run();

  // Appends `{"time": …, "event": event, fields…}` to events.jsonl.
  void append_event(std::string_view event, const OrderedJson& fields = OrderedJson::object());

  // Replaces plan.json by one with more or fewer runs. Throws Exit::usage if it does not keep
  // what has begun: the cells, and every run whose folder is there.
  void replan(Plan plan);

  // Replaces manifest.json: conditions known later, and the overhead at the end.
  void update_manifest(Manifest manifest);

 private:
  struct OpenRun {
    unsigned index;
    fs::path folder;
  };

  ResultWriter(fs::path directory, DirectoryLock lock, Manifest manifest, Plan plan,
               WriterOptions options);

  fs::path directory_;
  DirectoryLock lock_;
  Manifest manifest_;
  Plan plan_;
  WriterOptions options_;
  std::optional<OpenRun> open_;
};

// The text reduced to letters, digits, '.', '_' and '-', at most 60 characters, never
// hidden: a piece of a folder's name. Pure.
std::string folder_name_piece(std::string_view text);

}  // namespace lab::results
