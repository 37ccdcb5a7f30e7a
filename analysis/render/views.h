// Other views of a table than one row a line with everything: pivoted by a factor, factors in
// columns of their own, latencies, reads and writes as a ratio.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/render/grid.h"

namespace lab::analysis {

enum class View {
  iops,     // w/r IOPS and the difference from the baseline
  factors,  // the same with the row of the CSV, and the version of an allocator
  latency,  // mean and 99th percentile of writes and reads, ms
  ratio,    // reads:writes done, operations a second, mean and 99th percentile of each, µs
};

std::optional<View> view_from_text(std::string_view text);
std::vector<std::string> view_names();

struct ViewOptions {
  View view = View::iops;
  // Each level of this factor becomes columns, and rows are what remains; empty: none.
  std::string pivot;
};

// What is to be read with View::ratio.
constexpr std::string_view kRatioNote =
    "read:write: I/Os done, over all repetitions. Writes and reads that ran after each other have "
    "a line each.";

// Throws lab::Error (Exit::usage) for a factor that the table does not have; empty is none.
void check_pivot(const Table& table, const std::string& pivot);

// A view as a grid for one form: people get w/r pairs with their marks and a legend,
// spreadsheets get numbers, each in a column of its own. Throws lab::Error (Exit::usage) for a
// factor that the table does not have, and a format that a grid has no form for.
Grid view_of(const Table& table, const ViewOptions& options, Format format);

}  // namespace lab::analysis
