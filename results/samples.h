// samples.csv of a result directory: memory and CPU of every daemon over time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "results/csv_line.h"
#include "runner/base/time.h"

namespace lab::results {

constexpr const char* kSamplesFile = "samples.csv";

struct Sample {
  double time_s = 0;        // since the measurement began, by a clock that never jumps
  std::string_view phase;   // "baseline", "recovering", …
  std::string_view daemon;  // "osd.0"
  std::string_view metric;  // "rss", "rss_anon", "peak_rss", … (README.md)
  uint64_t value = 0;       // bytes; what it is for metrics that are no memory: README.md
};

// Appends samples as a measurement goes on. A write that fails ends no measurement: it is told
// by problem(), tried again with the next, and what finds no room meanwhile is counted.
class SampleLog {
 public:
  // Throws lab::Error (Exit::environment) if the file is there already or cannot be made.
  explicit SampleLog(const fs::path& file);
  SampleLog(const SampleLog&) = delete;
  SampleLog& operator=(const SampleLog&) = delete;
  ~SampleLog() { finish(); }

  // Of the samples that follow. In names, what would end a field becomes "_".
  void at(double time_s, TimePoint wall, std::string_view phase);
  void add(std::string_view daemon, std::string_view metric, uint64_t value);

  // Gives the kernel what was added: what is not flushed is lost if this process is killed.
  void flush();
  // Flushes, and returns when all is on disk. Nothing may be added then.
  void finish();

  uint64_t lines_lost() const { return lost_; }
  // Of the first write that failed: path and errno's text; else empty.
  const std::string& problem() const { return problem_; }

 private:
  void complain(const char* what);

  fs::path path_;
  Fd file_;
  std::string moment_;  // the first fields of the samples that follow
  std::string buffer_;  // of lines; only the first may be written in part
  uint64_t lost_ = 0;
  std::string problem_;
};

// One sample after the other, however many there are. The texts of a sample are valid until
// the next one.
class Samples {
 public:
  explicit Samples(const fs::path& directory) : lines_(directory / kSamplesFile) {}

  // False at the end. Lines that cannot be read are counted and passed over. Throws lab::Error
  // (Exit::environment) if the file cannot be read.
  bool next(Sample& sample);

  const DamagedLines& damaged() const { return damaged_; }

 private:
  CsvLines lines_;
  DamagedLines damaged_;
};

}  // namespace lab::results
