// A picture before it is drawn: data and the part of the script that is its own. Pure values;
// each kind of plot has a function that makes them, and gives none where there is nothing to show.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

struct Drawing {
  std::string name;  // of its files, without ending
  std::string title;
  std::string caption;
  // Of the SVG in its own units; the PNG has twice as many pixels each way. Pages show pictures
  // as narrow as 400 pixels, where letters of 15 units must still be legible.
  int width = 640;
  int height = 400;
  // Name and content of the data files: columns parted by tabs, a comment that names them with
  // their units, "-" for what is missing, a blank line between curves.
  std::vector<std::pair<std::string, std::string>> data;
  std::string body;                   // the script between `set multiplot` and closing the output
  std::vector<std::string> warnings;  // of what could not be read
};

// w/r IOPS of every row: bars with intervals and every repetition.
std::optional<Drawing> draw_iops(const Table& table);
// Percentiles of completion latency of every row.
std::optional<Drawing> draw_latency(const Table& table);
// Latency against achieved IOPS, where a factor is a depth or a rate.
std::optional<Drawing> draw_hockey_stick(const Table& table);
// IOPS of every run over its time, from the live figures in the directory.
std::optional<Drawing> draw_iops_over_time(const Table& table, const fs::path& directory);
// Resident memory of every daemon, from the samples in the directory.
std::optional<Drawing> draw_memory_over_time(const fs::path& directory);
// The first recovery of each cell: memory of every daemon, what clients got, what was recovered.
std::vector<Drawing> draw_recoveries(const fs::path& directory);

}  // namespace lab::analysis
