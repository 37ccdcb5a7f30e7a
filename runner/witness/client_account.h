// What the client says it did in a run: the side that the OSDs' counters are held against.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/fio_json.h"
#include "results/effective.h"
#include "results/run_record.h"
#include "runner/base/file.h"

namespace lab::witness {

struct ClientAccount {
  // False: it did more than it tells (fio counts no I/O of its ramp time), some of its I/Os
  // failed, or it did not get to telling. Nothing can be held against it then.
  bool whole = false;
  uint64_t reads = 0, writes = 0, trims = 0;
  double read_bytes = 0, write_bytes = 0, trim_bytes = 0;  // of one of them, on average
  uint64_t opens = 0;                                      // of the image, by as many threads
  std::optional<bool> cached;  // was a client's cache in force? none: not known
};

// Pure. `effective` is what lab's engine wrote, null if there was none: it counts all of its I/Os,
// where fio leaves out its ramp time. `proofs` tell of the cache where the engine doesn't.
ClientAccount account_of(const analysis::FioOutput& fio, const results::Effective* effective,
                         const std::vector<results::SettingProof>& proofs);

// Of a run's folder. What cannot be read tells nothing; the analysis says why.
ClientAccount read_account(const fs::path& folder,
                           const std::vector<results::SettingProof>& proofs);

}  // namespace lab::witness
