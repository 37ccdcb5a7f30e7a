#include "analysis/import.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/fio_json.h"
#include "analysis/import_terse.h"
#include "analysis/import_text.h"
#include "runner/base/error.h"

namespace lab::analysis {

namespace {

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

ImportedRuns import_json(std::string_view text, const std::string& name) {
  ImportedRuns out;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte order mark
  try {
    out.runs.push_back(parse_fio(text, name));
  } catch (const Error& e) {
    out.problems.push_back(problem_from(e.what(), name));
  }
  return out;
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
    if (!file.runs.empty()) {
      file.runs[0].notes.push_back(fmt::format(
          "the same results are also there as {}, and are not counted twice", to_text(format)));
      continue;
    }
    ImportedRuns read = format == FioFormat::json   ? import_json(text, name)
                        : format == FioFormat::text ? import_fio_text(text)
                                                    : import_fio_terse(text);
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
