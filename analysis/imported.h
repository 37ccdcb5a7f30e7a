// What the importers hand over: fio's results as analysis/fio_json.h has them, and what
// could not be read. Importers never throw for what stands in a file: what can be read is
// read, the rest is reported.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/fio_json.h"

namespace lab::analysis {

struct ImportProblem {
  size_t line = 0;  // from 1; 0: the file as a whole
  std::string text;
  bool operator==(const ImportProblem&) const = default;
};

struct ImportedRuns {
  // One for each time that fio was started, e.g. by a loop that appended to one file.
  std::vector<FioOutput> runs;
  std::vector<ImportProblem> problems;  // ascending by line
};

}  // namespace lab::analysis
