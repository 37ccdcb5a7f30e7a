#include "analysis/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/fio_json.h"
#include "analysis/import_terse.h"
#include "analysis/import_text.h"
#include "runner/base/error.h"

namespace lab::analysis {

namespace {

constexpr std::array<FioDirection FioJob::*, 4> ways = {&FioJob::read, &FioJob::write,
                                                        &FioJob::trim, &FioJob::mixed};

bool has_json(std::string_view text) {
  return text.starts_with('{') || text.find("\n{") != std::string_view::npos;
}

// "results.txt:17: cut off: …" → line 17, "cut off: …".
ImportProblem problem_from(std::string_view what, const std::string& name) {
  ImportProblem problem{0, std::string(what)};
  if (!what.starts_with(name + ":")) return problem;
  std::string_view rest = what.substr(name.size() + 1);
  size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || digits > 9 || !rest.substr(digits).starts_with(": ")) return problem;
  problem.line = std::stoul(std::string(rest.substr(0, digits)));
  problem.text = std::string(rest.substr(digits + 2));
  return problem;
}

uint64_t longest_ms(const FioOutput& output) {
  uint64_t longest = 0;
  for (const FioJob& job : output.jobs)
    for (FioDirection FioJob::*way : ways) longest = std::max(longest, (job.*way).runtime_ms);
  return longest;
}

bool same_job(const FioJob& a, const FioJob& b) {
  return a.name == b.name && a.group == b.group && a.host == b.host && a.options == b.options;
}

bool has_grown_from(const FioJob& earlier, const FioJob& later) {
  return std::all_of(ways.begin(), ways.end(), [&](FioDirection FioJob::*way) {
    return (later.*way).total_ios >= (earlier.*way).total_ios &&
           (later.*way).runtime_ms >= (earlier.*way).runtime_ms;
  });
}

bool is_idle(const FioJob& job) {
  return job.error == 0 && std::all_of(ways.begin(), ways.end(), [&](FioDirection FioJob::*way) {
           return (job.*way).total_ios == 0;
         });
}

// Figures that stand still are of a job that had ended before `earlier`.
bool is_going_on(const FioJob& earlier, const FioJob& later) {
  return is_idle(later) || !has_grown_from(later, earlier);
}

int64_t elapsed_ms(const FioOutput& earlier, const FioOutput& later) {
  if (earlier.timestamp_ms > 0 && later.timestamp_ms > 0)
    return later.timestamp_ms - earlier.timestamp_ms;
  return (later.timestamp_s - earlier.timestamp_s + 1) * 1000;
}

// Whether `later` counts on from `earlier`, as with --status-interval. Another run of the same
// jobs began after `earlier` was printed, so it can't have run for longer than since then.
bool continues(const FioOutput& earlier, const FioOutput& later) {
  if (!std::equal(
          earlier.jobs.begin(), earlier.jobs.end(), later.jobs.begin(), later.jobs.end(),
          [](const FioJob& a, const FioJob& b) { return same_job(a, b) && has_grown_from(a, b); }))
    return false;
  if (std::all_of(earlier.jobs.begin(), earlier.jobs.end(), is_idle)) return true;
  const int64_t elapsed = elapsed_ms(earlier, later);
  if (elapsed < 0) return false;
  return longest_ms(later) > static_cast<uint64_t>(elapsed) ||
         std::mismatch(earlier.jobs.begin(), earlier.jobs.end(), later.jobs.begin(), is_going_on)
                 .first != earlier.jobs.end();
}

void add_document(FioOutput next, bool copy, std::vector<FioOutput>& runs) {
  if (runs.empty() || copy || !continues(runs.back(), next)) {
    runs.push_back(std::move(next));
    return;
  }
  next.documents += runs.back().documents;
  next.line = runs.back().line;
  runs.back() = std::move(next);
}

bool names_block_size(const std::map<std::string, std::string>& options) {
  constexpr std::array<const char*, 5> names = {"bs", "blocksize", "bssplit", "bsrange",
                                                "blocksize_range"};
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return options.count(name) > 0; });
}

bool does_only(const FioJob& job, uint64_t block_bytes) {
  uint64_t ios = 0;
  uint64_t bytes = 0;
  for (FioDirection FioJob::*way : ways) {
    ios += (job.*way).total_ios;
    bytes += (job.*way).io_bytes;
  }
  return ios > 0 && bytes == ios * block_bytes;
}

// fio lists what was asked for only, so its default has to be told from the figures.
void add_default_block_size(FioOutput& run) {
  if (names_block_size(run.global_options)) return;
  for (FioJob& job : run.jobs)
    if (!names_block_size(job.options) && does_only(job, 4096)) job.options["bs"] = "4k";
}

ImportedRuns import_json(std::string_view text, const std::string& name) {
  ImportedRuns out;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte order mark
  FioDocuments found;
  try {
    found = split_fio_documents(text, name);
  } catch (const Error& e) {
    out.problems.push_back(problem_from(e.what(), name));
  }
  std::string_view last;
  for (const FioDocuments::Document& document : found.documents) {
    try {
      add_document(parse_fio_document(document, name), document.json == last, out.runs);
    } catch (const Error& e) {
      out.problems.push_back(problem_from(e.what(), name));
    }
    last = document.json;
  }
  for (FioOutput& run : out.runs) add_default_block_size(run);
  if (!out.runs.empty()) out.runs[0].notes = std::move(found.notes);
  return out;
}

bool has_figures_of(const FioJob& counted, const FioJob& other) {
  return std::all_of(ways.begin(), ways.end(), [&](FioDirection FioJob::*way) {
    const FioDirection& a = counted.*way;
    const FioDirection& b = other.*way;
    if (b.runtime_ms == 0) return true;
    // Formats round differently.
    return std::max(a.runtime_ms, b.runtime_ms) - std::min(a.runtime_ms, b.runtime_ms) <= 1 &&
           std::abs(a.iops - b.iops) <= 1 + 0.01 * a.iops;
  });
}

bool is_counted(const std::vector<FioOutput>& runs, const FioJob& job) {
  return std::any_of(runs.begin(), runs.end(), [&](const FioOutput& run) {
    return std::any_of(run.jobs.begin(), run.jobs.end(), [&](const FioJob& counted) {
      return counted.name == job.name && counted.group == job.group && has_figures_of(counted, job);
    });
  });
}

// What a further format tells is passed over if it is the same, and else reported.
void pass_over(const ImportedRuns& read, FioFormat format, ImportedFile& file) {
  if (read.runs.empty())
    file.problems.insert(file.problems.end(), read.problems.begin(), read.problems.end());
  bool all_counted = true;
  for (const FioOutput& run : read.runs) {
    if (std::all_of(run.jobs.begin(), run.jobs.end(),
                    [&](const FioJob& job) { return is_counted(file.runs, job); }))
      continue;
    all_counted = false;
    file.problems.push_back(
        {run.line, fmt::format("the {} output that begins here has other results than the {} "
                               "output of this file (line {}), which alone is counted: it is left "
                               "out; put each into a file of its own",
                               to_text(format), to_text(file.format), file.runs[0].line)});
  }
  if (all_counted && !read.runs.empty())
    file.runs[0].notes.push_back(fmt::format(
        "the same results are also there as {}, and are not counted twice", to_text(format)));
}

ImportedRuns import_as(FioFormat format, std::string_view text, const std::string& name) {
  return format == FioFormat::json   ? import_json(text, name)
         : format == FioFormat::text ? import_fio_text(text)
                                     : import_fio_terse(text);
}

}  // namespace

const char* to_text(FioFormat format) {
  switch (format) {
    case FioFormat::json:
      return "json";
    case FioFormat::text:
      return "text";
    case FioFormat::terse:
      return "terse";
    case FioFormat::unknown:
      break;
  }
  return "unknown";
}

ImportedFile import_fio(std::string_view text, const std::string& name) {
  ImportedFile file;
  file.name = name;
  std::vector<FioFormat> there;
  if (has_json(text)) there.push_back(FioFormat::json);
  if (is_fio_text(text)) there.push_back(FioFormat::text);
  if (is_fio_terse(text)) there.push_back(FioFormat::terse);
  for (FioFormat format : there) {
    ImportedRuns read = import_as(format, text, name);
    if (!file.runs.empty()) {
      pass_over(read, format, file);
      continue;
    }
    if (!read.runs.empty() || file.format == FioFormat::unknown) file.format = format;
    file.runs = std::move(read.runs);
    file.problems.insert(file.problems.end(), read.problems.begin(), read.problems.end());
  }
  if (there.empty())
    file.problems.push_back(
        {0, text.empty() ? "the file is empty"
                         : "nothing in it looks like fio's results (text, terse or JSON)"});
  std::stable_sort(file.problems.begin(), file.problems.end(),
                   [](const ImportProblem& a, const ImportProblem& b) { return a.line < b.line; });
  return file;
}

ImportedFile import_fio_file(const fs::path& path) {
  return import_fio(read_file(path), path.string());
}

}  // namespace lab::analysis
