// What a job file will do, as far as tables and plans need to know: its steps (phases),
// and which of them make one row `w/r IOPS`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/plan/job_file.h"

namespace lab {

// Sections that run at the same time: a stonewall begins a new phase.
struct Phase {
  std::vector<size_t> sections;
  bool writes = false;
  bool reads = false;
  double seconds = 0;   // runtime with ramp time; 0 if a section states none
  bool bounded = true;  // every section states one
};

// A row of the table: one figure for writes and one for reads. A phase that only writes
// and the next that only reads with the same shape share a row; a mixed phase has both.
struct RowShape {
  std::string type;        // `rand rw`, `seq w`, `rand mixed 70r/30w`
  std::string block_size;  // as the job says: `4k`
  uint64_t block_bytes = 0;
  uint64_t iodepth = 1;
  uint64_t numjobs = 1;
  std::optional<size_t> write_phase;
  std::optional<size_t> read_phase;
};

std::vector<Phase> phases_of(const JobFile& job);
std::vector<RowShape> rows_of(const JobFile& job);

// Expected length of the whole job; 0 if some phase has no end in time.
double run_seconds(const JobFile& job);

// Bytes that the job spans from the start of its device: the largest offset + size. None
// if a section states neither size nor filesize.
std::optional<uint64_t> span_bytes(const JobFile& job);

}  // namespace lab
