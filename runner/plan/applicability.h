// Cells that would measure the same thing under two names, or nothing at all: told from what the
// daemons are, before anything is run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/plan.h"
#include "runner/plan/matrix.h"

namespace lab {

// What is known of the daemons before any change.
struct DaemonFacts {
  // The malloc that a kind of daemon ("osd") is linked with: "glibc", "tcmalloc", …; missing if it
  // is not known.
  std::map<std::string, std::string> linked_allocator;
};

struct Applicable {
  std::vector<Cell> cells;                 // the baseline first, as before
  std::vector<results::LeftOut> left_out;  // "the same as glibc: …"
};

// Throws lab::Error (Exit::usage) if a level can have no effect on these daemons at all, or if
// fewer than two cells remain of several.
Applicable applicable_cells(const std::vector<Cell>& cells, const DaemonFacts& facts);

}  // namespace lab
