// Whatever a file holds, `lab import` makes a table of it or says why not.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analysis/import_terse.h"
#include "analysis/import_text.h"
#include "analysis/imported_table.h"
#include "analysis/render/renderer.h"

namespace {

using namespace lab::analysis;

void check(bool holds) {
  if (!holds) abort();
}

void check_direction(const FioDirection& direction) {
  check(std::isfinite(direction.iops) && direction.iops >= 0);
  check(std::isfinite(direction.bytes_per_s) && direction.bytes_per_s >= 0);
  check(std::isfinite(direction.clat.mean_ns) && direction.clat.mean_ns >= 0);
}

void check_runs(const std::vector<FioOutput>& runs, const std::vector<ImportProblem>& problems,
                size_t lines) {
  check(!runs.empty() || !problems.empty());  // nothing is passed over in silence
  for (const ImportProblem& problem : problems)
    check(problem.line <= lines && !problem.text.empty());
  for (const FioOutput& run : runs) {
    check(!run.jobs.empty());
    for (const FioJob& job : run.jobs)
      for (const FioDirection* direction : {&job.read, &job.write, &job.trim, &job.mixed})
        check_direction(*direction);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  size_t lines = 1;
  for (char c : text) lines += c == '\n' ? 1 : 0;
  for (const ImportedRuns& imported : {import_fio_text(text), import_fio_terse(text)})
    check_runs(imported.runs, imported.problems, lines);
  ImportedFile file = import_fio(text, "input.txt");
  Table table = imported_table({file, file});
  for (const std::string& format : format_names())
    check(!make_renderer(*format_from_text(format))->render(table).empty());
  return 0;
}
