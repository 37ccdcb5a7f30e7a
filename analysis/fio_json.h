// fio's json and json+ output (3.x), reduced to what a laboratory needs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/fio_documents.h"
#include "analysis/histogram.h"

namespace lab::analysis {

// All zero where fio measured nothing.
struct FioLatency {
  uint64_t samples = 0;
  uint64_t min_ns = 0;
  uint64_t max_ns = 0;
  double mean_ns = 0;
  double stddev_ns = 0;
  std::map<double, uint64_t> percentiles_ns;  // percent → value, as fio printed them
  Histogram bins;                             // json+ only
};

struct FioDirection {
  uint64_t total_ios = 0;
  uint64_t short_ios = 0;
  uint64_t dropped_ios = 0;
  uint64_t io_bytes = 0;
  uint64_t runtime_ms = 0;  // of the longest job of the group
  double iops = 0;
  double bytes_per_s = 0;
  FioLatency slat, clat, lat;
};

// One entry of fio's output: a job (a thread), or with group_reporting a group, which
// bears the name of its first job.
struct FioJob {
  std::string name;
  std::string host;  // fio client/server only
  unsigned group = 0;
  int error = 0;              // errno of the first failure
  uint64_t total_errors = 0;  // with continue_on_error
  uint64_t job_runtime_ms = 0;
  double user_cpu_percent = 0;
  double system_cpu_percent = 0;
  std::map<std::string, std::string> options;  // of the section; global ones apart
  FioDirection read, write, trim;
  FioDirection mixed;  // unified_rw_reporting: reads and writes in one
  FioDirection sync;   // total_ios and lat only
};

struct FioOutput {
  std::string version;  // "fio-3.33"
  int64_t timestamp_s = 0;
  int64_t timestamp_ms = 0;  // the same; 0 from versions that told seconds only
  size_t line = 0;           // where it begins in its file, from 1
  std::map<std::string, std::string> global_options;
  std::vector<FioJob> jobs;
  std::vector<std::string> notes;  // lines of text around the JSON: fio's warnings
  size_t documents = 1;            // more with --status-interval
};

// Takes the last document: with --status-interval each one counts from the start. Lines
// of text before, between and after documents are kept as notes. Of client/server output
// the sum "All clients" is left out, since it would be counted twice.
//
// Throws lab::Error (Exit::usage) with `name:line` if there is no JSON, if it is cut off
// or malformed, or if it is not fio's.
FioOutput parse_fio(std::string_view text, const std::string& name);

// One document, without the text around it. Throws as parse_fio.
FioOutput parse_fio_document(const FioDocuments::Document& document, const std::string& name);

}  // namespace lab::analysis
