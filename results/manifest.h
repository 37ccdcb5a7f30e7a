// manifest.json: what was asked, and under which conditions it was measured.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/base/json.h"

namespace lab::results {

// The version of the format that this program writes and reads.
constexpr int kFormat = 1;

// Key and text in the order in which they are shown.
using TextList = std::vector<std::pair<std::string, std::string>>;

struct OsdRecord {
  int id = 0;
  std::string host;
  std::string allocator;  // "glibc", "tcmalloc", "jemalloc", …
  std::string package;    // of the allocator's library; empty if no package owns it
  std::string version;    // of that package or library
};

// Where the time went that was not spent measuring.
struct Overhead {
  double sandbox_start_s = 0;
  double prefill_s = 0;
  double fio_s = 0;    // inside fio, over all runs
  double other_s = 0;  // between the runs: settle, apply, verify, undo
  double other_percent = 0;
};

struct Manifest {
  int format = kFormat;
  std::string lab;      // version of lab
  std::string created;  // ISO 8601, UTC
  std::vector<std::string> command;
  OrderedJson request = OrderedJson::object();  // the runner's own, for going on with it
  std::string title;                            // name of the job file without its ending
  std::string target;                           // "rbd", "rbd-builtin", "block", "nbd", "s3", …
  std::vector<std::string> matrix;              // names of the factors
  std::string procedure;                        // "recovery"; empty: runs of the job alone
  bool allow_invalid = false;
  std::string invalid_reason;
  TextList conditions;
  std::vector<OsdRecord> osds;
  std::optional<Overhead> overhead;
};

// Throws lab::Error (Exit::usage) naming file, line and key. Keys that this version
// does not know are left alone; another `format` is refused.
Manifest manifest_from_json(const JsonDocument& document);
OrderedJson to_json(const Manifest& manifest);

}  // namespace lab::results
