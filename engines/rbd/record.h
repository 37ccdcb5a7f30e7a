// The lines of effective.jsonl (results/README.md).
#pragma once

#include <string>

#include "engines/rbd/open_image.h"

namespace lab::rbd {

// One job's completed I/Os; its own, so plain numbers.
struct JobCounts {
  uint64_t reads = 0, writes = 0, trims = 0, syncs = 0, errors = 0, zero_reads = 0;
  uint64_t read_bytes = 0, write_bytes = 0;
};

struct RecordStamp {
  int pid = 0;
  double time_s = 0;  // since the epoch
};

std::string open_record(const Options& options, const ImageState& state, RecordStamp stamp);
std::string close_record(const Options& options, const JobCounts& counts, double flush_s,
                         RecordStamp stamp);

}  // namespace lab::rbd
