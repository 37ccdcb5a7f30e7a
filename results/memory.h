// memory.csv of a result directory: the memory of every daemon over time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "results/csv_line.h"

namespace lab::results {

struct MemorySample {
  double time_s = 0;        // since the measurement began, by a clock that never jumps
  std::string_view phase;   // "baseline", "recovering", …
  std::string_view daemon;  // "osd.0"
  std::string_view metric;  // "rss", "rss_anon", "peak_rss", …
  uint64_t bytes = 0;
};

// One sample after the other, however many there are. The texts of a sample are valid until
// the next one.
class MemorySamples {
 public:
  explicit MemorySamples(const fs::path& directory) : lines_(directory / "memory.csv") {}

  // False at the end. Lines that cannot be read are counted and passed over. Throws lab::Error
  // (Exit::environment) if the file cannot be read.
  bool next(MemorySample& sample);

  const DamagedLines& damaged() const { return damaged_; }

 private:
  CsvLines lines_;
  DamagedLines damaged_;
};

}  // namespace lab::results
