// What `lab run`, `lab recovery` or `lab soak` was asked, kept in the result directory so that
// --resume asks the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/base/json.h"
#include "runner/recovery/request.h"
#include "runner/soak/request.h"

namespace lab {

struct RunRequest {
  fs::path job;
  std::string matrix;              // names separated by commas; empty: one cell, nothing changed
  std::vector<std::string> sweep;  // `iodepth=1..256`: factors of their own, after the matrix
  bool control = false;            // the baseline once more, under a second name
  std::string target = "rbd";
  fs::path inventory;    // empty: the shipped one of the sandbox
  fs::path sandbox_dir;  // empty: the inventory's, else the default
  int repeat = 4;        // with `detect`, the most
  // The smallest difference that is to be found, e.g. 0.05; a pilot tells how many repetitions
  // that takes.
  std::optional<double> detect;
  // Seconds that the whole measurement may take: runtime and repeat are fitted into them.
  std::optional<double> budget_s;
  std::optional<double> runtime_s;  // instead of the job's
  uint64_t seed = 0;
  double warmup_s = 10;                   // of the job's load, each time daemons were started anew
  std::string mark;                       // this experiment's own: on the image that it makes
  std::string device;                     // of target block
  std::string nbd_uri;                    // of target nbd
  std::vector<std::string> destroy_data;  // devices and images that may be overwritten
  bool allow_invalid = false;
  // Of `lab recovery`: what befalls the cluster in each run.
  std::optional<recovery::Request> recovery;
  // Of `lab soak`; `repeat` is the number of segments then.
  std::optional<soak::Request> soak;
};

OrderedJson to_json(const RunRequest& request);
// Throws lab::Error (Exit::usage) with file and line.
RunRequest request_from_json(const JsonDocument& document, const std::string& pointer);

}  // namespace lab
