// The HTML report of a result directory as a file.
#pragma once

#include <string>
#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

struct WrittenHtml {
  Table table;
  std::vector<std::string> warnings;  // why plots are missing from it
};

// Draws the plots (in `directory`/plots) and writes the page, by a rename; with tables by the
// factor `pivot` unless it is empty. Throws lab::Error as results::ResultReader::load and, before
// anything is written, as check_pivot; and Exit::environment for what cannot be written.
WrittenHtml write_html(const fs::path& directory, const fs::path& file, const std::string& pivot);

}  // namespace lab::analysis
