// lab profile: where a process's time or memory is.
#include <algorithm>

#include "analysis/profile/read.h"
#include "analysis/profile/share_grid.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace lab::cli {
namespace {

using analysis::profile::ShareTable;

struct TableRequest {
  std::vector<std::string> files, base;
  analysis::profile::ReadOptions read;
  analysis::profile::ShareOptions shares;
  std::string format = "table";
};

void print_shares(const ShareTable& table, const std::string& format) {
  if (format == "json") return print(analysis::profile::share_json(table));
  const analysis::Format form = *analysis::format_from_text(format);
  print(analysis::render_grid(analysis::profile::share_grid(table, form), form,
                              render_options_for_stdout()));
}

Exit make_table(TableRequest request) {
  request.shares.focus = request.read.focus;
  const auto now = analysis::profile::read_profiles(request.files, request.read);
  analysis::profile::Profile base;
  if (!request.base.empty()) base = analysis::profile::read_profiles(request.base, request.read);
  const ShareTable table =
      analysis::profile::shares(now, request.base.empty() ? nullptr : &base, request.shares);
  for (const std::string& note : table.notes) warn(note);
  for (const std::string& warning : analysis::profile::unresolved_warnings(table)) warn(warning);
  if (std::all_of(table.processes.begin(), table.processes.end(),
                  [](const auto& process) { return process.rows.empty(); }) &&
      !request.read.focus.empty())
    warn(fmt::format("no stack holds a function whose name contains \"{}\"", request.read.focus));
  print_shares(table, request.format);
  return Exit::ok;
}

void add_table(CLI::App& profile, Action& action) {
  auto request = std::make_shared<TableRequest>();
  CLI::App* table = profile.add_subcommand(
      "table",
      "Process, where, share: the table of profiles that were taken. Reads collapsed stacks "
      "(jeprof --collapsed, flame graph tools; the process is then the file's name), the text of "
      "perf script, and jeprof --text or "
      "pprof --text.");
  table->add_option("FILE", request->files, "profiles; several are put together by process")
      ->required();
  table->add_option("--base", request->base,
                    "profiles of before: shows before, after and the difference in points");
  table->add_option("--format", request->format, "of the table on stdout")
      ->check(CLI::IsMember({"table", "markdown", "csv", "tsv", "json"}))
      ->capture_default_str();
  table
      ->add_option("--top", request->shares.top,
                   "places of each process, those with the largest shares; 0: all")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  table->add_flag("--self", request->shares.self,
                  "shares of the functions themselves, without what they called");
  table->add_option("--focus", request->read.focus,
                    "only stacks that hold a function whose name contains this; shares stay "
                    "those of the whole process");
  table
      ->add_option("--unit", request->read.unit,
                   "what collapsed stacks count, which they don't tell: samples, bytes (of a heap "
                   "profile: no intervals)")
      ->check(CLI::IsMember({"samples", "bytes"}));
  table->callback([request, &action] { action = [request] { return make_table(*request); }; });
}

}  // namespace

void add_profile(CLI::App& app, Action& action) {
  CLI::App* profile = app.add_subcommand("profile", "Where a process's time or memory is.");
  profile->require_subcommand(1);
  add_table(*profile, action);
}

}  // namespace lab::cli
