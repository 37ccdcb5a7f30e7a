// The histograms that fio logs of each second (write_hist_log): what clients saw when.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "analysis/histogram.h"
#include "results/csv_line.h"

namespace lab::analysis {

// Completions of one direction that fio logged at one moment, since the one before.
struct ClientSample {
  int64_t at_ms = 0;  // of the wall clock, since 1970
  bool write = false;
  std::vector<Histogram::Bin> bins;  // not empty, ascending
  uint64_t count = 0;                // of all bins
};

// The latency in the middle of a bin, by its place in fio's histograms.
uint64_t latency_of_bin(size_t index);

// One line of a log; false if it is none, or of another direction than reads and writes.
bool parse_client_line(std::string_view line, ClientSample& sample);

// All samples of the logs in a run's folder, job by job, each in the order of time. Lines that
// cannot be read are counted and passed over; what fio logged of trims is passed over.
void read_client_logs(const fs::path& folder, const std::function<void(const ClientSample&)>& take,
                      results::DamagedLines& damaged);

}  // namespace lab::analysis
