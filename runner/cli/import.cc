// lab import: the table of files that fio wrote, in whatever format.
#include <set>

#include "analysis/imported_table.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace lab::cli {

namespace {

Exit import_files(const std::vector<std::string>& names, const std::string& format) {
  std::vector<analysis::ImportedFile> files;
  std::set<std::string> seen;
  bool any = false;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) throw usage_error("{}: given twice", name);
    if (!fs::exists(name)) throw usage_error("{}: there is no such file", name);
    if (fs::is_directory(name)) throw usage_error("{}: is a directory; name the files in it", name);
    files.push_back(analysis::import_fio_file(name));
    const analysis::ImportedFile& file = files.back();
    any |= !file.runs.empty();
    for (const analysis::ImportProblem& problem : file.problems)
      warn(fmt::format("{}{}: {}", name, problem.line > 0 ? fmt::format(":{}", problem.line) : "",
                       problem.text));
  }
  if (!any) throw usage_error("no file has results of fio that can be read");
  return print_table(analysis::imported_table(files), format);
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  struct State {
    std::vector<std::string> files;
    std::string format = "table";
  };
  auto state = std::make_shared<State>();
  CLI::App* command = app.add_subcommand(
      "import",
      "The w/r IOPS table of fio's own output files: text (as `fio job | tee FILE` keeps it), "
      "terse or JSON; one file a row, named after it, the first is the baseline.");
  command->add_option("FILE", state->files, "what fio printed")->required();
  command->add_option("--format", state->format, "of the table on stdout")
      ->check(CLI::IsMember(analysis::format_names()))
      ->capture_default_str();
  command->callback(
      [state, &action] { action = [state] { return import_files(state->files, state->format); }; });
}

}  // namespace lab::cli
