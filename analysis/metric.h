// The figures that two sides are compared by, one entry each: what a sample is, and what
// stands beside it in print. A new metric is one entry of a list.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/osd_memory.h"
#include "analysis/table.h"

namespace lab::analysis {

struct Metric {
  std::string key;    // "write_p99": in files and policies
  std::string name;   // "write p99": in sentences
  std::string label;  // "write mean": in narrow columns, without the unit
  std::string unit;   // "ms", "s", "bytes"; empty for I/Os a second
  stats::Direction direction = stats::Direction::higher_is_better;
};

// Of a row: each run is a sample.
struct RowMetric : Metric {
  // Of one usable run, in `unit`; none where the row has no such figure.
  std::function<std::optional<double>(const RunFigures&, const results::Row&)> sample;
  // Of all repetitions, as the table of the directory prints it.
  std::function<std::optional<double>(const Table&, const TableRow&)> value;
};

const std::vector<RowMetric>& row_metrics();

// Of a whole measurement: each OSD is a sample. Nothing tells which cell its memory is due to.
struct DirectoryMetric : Metric {
  std::vector<double> OsdMemory::*samples = nullptr;
};

const std::vector<DirectoryMetric>& directory_metrics();

// One for each repetition of the row that has the figure, in the order of running; where
// repetitions share a restart of daemons, that is one sample, their geometric mean (units.h).
std::vector<double> samples(const RowMetric& metric, const Table& table, const TableRow& row);

// "12345" I/Os a second, "1.23" ms, "512" MiB; "-" for none.
std::string unit_text(const Metric& metric);  // of that text: "ms", "MiB" or empty
std::string value_text(const Metric& metric, std::optional<double> value);

}  // namespace lab::analysis
