// What lab has changed and how to undo it: on this host's disk and in the cluster itself, each
// entry before its change is made. Both are removed when all is as it was, and never before:
// what a lab that was killed has left behind is found by the next one, also on another host.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/ceph/exclusive_lock.h"
#include "runner/tuning/cluster_record.h"
#include "runner/tuning/knob.h"

namespace lab {

struct Undo {
  Knob knob;
  KnobValue before;

  bool operator==(const Undo&) const = default;
};

// Who has changed something, and how its daemons are reached.
struct JournalHead {
  std::string fsid;
  ceph::LockHolder holder;
  OrderedJson driver;  // of the daemons, see daemons/driver.h; null if none was touched
};

// One laboratory's changes, as they are found.
struct Changes {
  JournalHead head;
  std::vector<Undo> undos;            // in the order of the changes
  std::vector<std::string> restarts;  // daemons that were started anew, each once
};

// Where this host's journal of a cluster is: $LAB_STATE_DIR, /var/lib/lab (root), or
// $XDG_STATE_HOME/lab.
fs::path journal_path(const std::string& fsid);

class Journal {
 public:
  // Nothing is written before the first entry.
  Journal(JournalHead head, fs::path path, ClusterRecord record)
      : head_(std::move(head)), path_(std::move(path)), record_(std::move(record)) {}
  // Goes on with what was found.
  static Journal reopen(const Changes& found, fs::path path, ClusterRecord record);

  // All of them are on disk and in the cluster when it returns, however many in few writes.
  void add(const std::vector<Undo>& undos);
  void add_restarts(const std::vector<std::string>& daemons);
  bool empty() const { return !begun_; }

  // All is as it was.
  void close();

 private:
  void append(const std::vector<OrderedJson>& entries);

  JournalHead head_;
  fs::path path_;
  ClusterRecord record_;
  bool begun_ = false;
};

// The changes that somebody has left on this cluster, from the cluster's record and this
// host's journal; none if there are none. Throws lab::Error (Exit::environment) if they can't be
// read, naming what to do by hand.
std::optional<Changes> find_changes(const fs::path& path, ClusterRecord& record);

// Of this host's journal alone; none if there is none.
std::optional<Changes> read_journal(const fs::path& path);

// The parameters of this host that labs on other clusters have changed and not put back, with the
// journal that says so. `own` is left out.
std::map<Knob, fs::path> host_changes_of_others(const fs::path& own);

// The lines of a journal: a first one with the head, then arrays of entries, one a change. A last
// line that was cut off belongs to changes that were never made. Pure; `name` for errors.
Changes parse_journal(const std::vector<std::string>& lines, const std::string& name);

}  // namespace lab
