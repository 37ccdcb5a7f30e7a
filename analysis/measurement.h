// What one run measured, phase by phase: fio's output and the engine's own words put
// together, with every reason to doubt them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/fio_json.h"
#include "results/effective.h"
#include "results/mark.h"
#include "results/plan.h"
#include "results/reader.h"
#include "results/run_record.h"

namespace lab::analysis {

// Of completion latency; none if fio printed no bins.
struct Percentiles {
  std::optional<uint64_t> p50_ns, p95_ns, p99_ns, p999_ns;
};
Percentiles percentiles_of(const Histogram& clat);

// One direction of one phase: all of its jobs together.
struct DirectionFigures {
  uint64_t ios = 0;
  uint64_t bytes = 0;
  double runtime_s = 0;  // of the longest job
  double iops = 0;       // ios / runtime_s
  double bytes_per_s = 0;
  // Writes only: the final flush counted in, ios / (runtime_s + flush_s). A cache that
  // leaves dirty data behind has not written it yet.
  double counted_iops = 0;
  double clat_mean_ns = 0;
  Percentiles clat_percentiles;
  // Empty if fio printed no bins; and in a table's runs, whose bins have gone into the sums
  // of the rows: of thousands of runs they would fill the memory.
  Histogram clat;
};

struct PhaseFigures {
  std::optional<DirectionFigures> write, read;  // none: no such I/O was done
  double flush_s = 0;                           // the longest last flush of a job
  uint64_t errors = 0;                          // failed I/Os, as fio or the engine counted more
  std::vector<results::Mark> marks;             // for the rows that use this phase
};

// Was what the cell asks for read back from the process that has it?
// In order of trust: a row is as good as its worst repetition.
enum class Proof { nothing_asked, verified, unverified, contradicted };
std::string_view to_text(Proof proof);

// What a recovery took that was made in a run (recovery/run.h has all of it): bytes of VmRSS are
// means over the OSDs that did not fail.
struct RecoveryFigures {
  std::optional<double> to_clean_s;
  std::optional<double> normal_bytes, peak_bytes;
};

struct RunFigures {
  results::RunRecord record;
  bool usable = false;               // it went well and its output could be read
  std::vector<PhaseFigures> phases;  // as in the plan; empty if not usable
  Proof proof = Proof::nothing_asked;
  std::vector<results::Mark> marks;  // for all rows of the cell
  std::optional<RecoveryFigures> recovery;
};

// Pure. `effective` is what lab's engine wrote, null if there was none.
RunFigures measure(const results::RunRecord& record, const results::Plan& plan,
                   const FioOutput& fio, const results::Effective* effective);

// Reads the raw files of a run. What cannot be read makes the run unusable, with a mark
// that says why; nothing is thrown for it.
RunFigures load_measurement(const results::FinishedRun& run, const results::Plan& plan);

// The same of many runs, which `take` gets in their order. They are read by several threads,
// and no more of them are in memory than one thread's share of a few.
void load_measurements(const std::vector<const results::FinishedRun*>& runs,
                       const results::Plan& plan, const std::function<void(RunFigures)>& take);

}  // namespace lab::analysis
