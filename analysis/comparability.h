// What two rows must have in common before their figures may stand side by side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/side.h"

namespace lab::analysis {

// One thing that differs and must not, e.g. {"iodepth", "16", "32"}.
struct Incomparable {
  std::string thing;
  std::string before, after;
};

// All names that Incomparable::thing can have, for --allow-different.
const std::vector<std::string>& comparable_things();

// Of two rows of one directory only what the rows themselves say: the job is one, and the
// matrix asked for what differs. Of two directories also the job and the size of the image.
// What either side did not record is not held against it.
std::vector<Incomparable> incomparable(const Side& before, const TableRow& row_before,
                                       const Side& after, const TableRow& row_after);

// A job file without its comments, blank lines and the space around "=": what fio reads.
std::string job_without_comments(std::string_view job);

// "2 GiB, objects of 4 MiB" of the conditions; empty if they tell none.
std::string image_size(const results::TextList& conditions);

}  // namespace lab::analysis
