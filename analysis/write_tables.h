// The table files of a result directory.
#pragma once

#include <map>
#include <string>

#include "analysis/table.h"

namespace lab::analysis {

// Keeps the tables of a directory up to date while runs are added to it. Each run is read
// once, however often the tables are written.
class LiveTables {
 public:
  // Throws lab::Error as ResultReader::load does.
  explicit LiveTables(const fs::path& directory);

  // Takes in what was added to the directory and replaces table.txt, table.md, table.csv and
  // tidy.csv, each by a rename. Returns the table. Throws lab::Error as
  // ResultReader::refresh does, or naming the file that could not be written.
  Table update();

 private:
  results::ResultReader reader_;
  TableBuilder builder_;
  std::map<unsigned, fs::path> taken_;  // index of a run → folder of the attempt that was read
};

}  // namespace lab::analysis
