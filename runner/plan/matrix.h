// Matrices: which factors vary, over which levels. One factor a file in jobs/matrices.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/tuning/setting.h"

namespace lab {

struct Level {
  std::string name;   // `writeback`
  std::string label;  // as tables call it: `rbd_cache_writeback`
  std::vector<Setting> settings;
};

struct Factor {
  std::string name;
  std::string title;                 // one line for people
  std::vector<std::string> targets;  // where it has a meaning; empty: everywhere
  std::vector<Level> levels;         // the baseline first
  // Applied in every cell, the baseline too: what is to stand still while the levels change.
  std::vector<Setting> hold;
  // Its levels are applied by starting daemons anew.
  bool restarts = false;
  // How many times a level's IOPS may be the baseline's, or the baseline's a level's, without
  // raising doubt; none: any number of times.
  std::optional<double> plausible_ratio;

  bool acts_on(const std::string& target) const;
};

// One combination of levels, one of each factor.
struct Cell {
  std::string name;  // `writeback`, `writeback+io_uring`
  std::string label;
  std::map<std::string, std::string> levels;
  std::vector<Setting> settings;
  std::string control_of;  // the cell that this one is, under a second name; or empty
  std::string
      restart;  // levels that a restart applies, `jemalloc`; empty: none (see results::Cell)
};

// Reads one factor file. Throws lab::Error (Exit::usage) with file, line and key.
Factor parse_factor(const JsonDocument& document);

// `names` separated by commas, each a file name or the name of a file in `directory`, perhaps with
// some of its levels only: `allocator=tcmalloc+jemalloc`.
// An unknown one is an error that names the nearest.
std::vector<Factor> load_matrix(const std::string& names, const fs::path& directory);

// All combinations, the last factor fastest; the first cell has every baseline. No
// factor gives the one cell `as-is`, which changes nothing.
std::vector<Cell> cross(const std::vector<Factor>& factors);

// The baseline once more under a second name: what the lab itself calls different between the
// two (an A/A control) is the floor below which no other difference counts.
Cell control_of(const Cell& baseline);

}  // namespace lab
