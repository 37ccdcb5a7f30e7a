// Reads whatever fio wrote: finds out which format a file has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/imported.h"
#include "runner/base/file.h"

namespace lab::analysis {

enum class FioFormat { unknown, json, text, terse };
const char* to_text(FioFormat format);

struct ImportedFile {
  std::string name;
  FioFormat format = FioFormat::unknown;
  std::vector<FioOutput> runs;
  std::vector<ImportProblem> problems;
};

// With --output-format=a,b one file has the same results several times: the first of
// JSON, text and terse that can be read is taken, since it tells most, and the others
// are passed over: with a note in the first run if they tell the same, else as problems.
// JSON documents that count on from each other, as with --status-interval, are one run.
ImportedFile import_fio(std::string_view text, const std::string& name);

// Throws lab::Error (Exit::environment) if the file can't be read at all.
ImportedFile import_fio_file(const fs::path& path);

}  // namespace lab::analysis
