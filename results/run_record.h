// run.json: one finished run, what was set for it and how that was proven.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/mark.h"
#include "runner/base/json.h"

namespace lab::results {

// One setting as asked for, and what the process that has it said.
struct SettingProof {
  std::string name;
  std::string asked;
  std::string effective;
  std::string source;            // where the effective value comes from: "image", "pool", "config"
  std::string proof;             // how it was read back: "rbd_config_image_list"
  std::optional<bool> verified;  // does it act as asked? none: could not be read back

  bool operator==(const SettingProof&) const = default;
};

// An OSD's process on a host that lab could look into, as it was when the run ended.
struct OsdProcess {
  int osd = 0;
  std::string allocator;  // "glibc", "tcmalloc", …; empty: not known
  std::string package;    // of its library; empty if no package owns it
  std::string version;
  std::optional<uint64_t> thread_cache_bytes;  // limit in force; none: no tcmalloc of gperftools
  uint64_t rss_bytes = 0;
  uint64_t peak_rss_bytes = 0;  // since the run began

  bool operator==(const OsdProcess&) const = default;
};

struct RunRecord {
  unsigned index = 0;
  std::string cell;
  unsigned block = 0;
  unsigned position = 0;
  unsigned attempt = 1;  // above 1: earlier ones failed, and `--resume` ran it again
  // Number of the restart of daemons that applied the cell's levels: runs of one cell with the
  // same number share its luck. 0: the run itself applied them.
  unsigned unit = 0;
  std::string started;  // ISO 8601, UTC
  std::string ended;
  bool ok = true;
  std::string error;  // why it failed
  std::string fsid;
  std::map<std::string, double> times_s;  // apply, warmup, settle, fio, verify
  std::vector<SettingProof> settings;
  std::vector<OsdProcess> osds;
  std::vector<Mark> marks;
};

// Throws lab::Error (Exit::usage) naming file, line and key.
RunRecord run_record_from_json(const JsonDocument& document);
OrderedJson to_json(const RunRecord& record);

}  // namespace lab::results
