// lab results list|show: which result directories there are, and what one of them holds.
#include <algorithm>
#include <cstdio>

#include "analysis/render/escape.h"
#include "results/reader.h"
#include "runner/base/text.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace lab::cli {
namespace {

using analysis::one_line;
using results::ResultReader;

size_t runs_done(const ResultReader& reader) {
  return static_cast<size_t>(std::count_if(reader.runs().begin(), reader.runs().end(),
                                           [](const auto& run) { return run.record.ok; }));
}

OrderedJson summary(const ResultReader& reader) {
  return {{"directory", reader.directory().string()}, {"created", reader.manifest().created},
          {"title", reader.manifest().title},         {"matrix", reader.manifest().matrix},
          {"target", reader.manifest().target},       {"runs_done", runs_done(reader)},
          {"runs_planned", reader.plan().runs.size()}};
}

// ", by cache and allocator"; nothing where one cell was measured as it is.
std::string by(const results::Manifest& manifest) {
  if (manifest.matrix.empty()) return "";
  return ", by " + one_line(join(manifest.matrix, " and "));
}

// The result directories right below `root`, oldest first: their names begin with the time.
std::vector<fs::path> directories_below(const fs::path& root) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::directory_iterator at(root, error);
  if (error) throw usage_error("{}: cannot list: {}", root.string(), error.message());
  for (fs::directory_iterator end; !error && at != end; at.increment(error))
    if (results::is_result_directory(at->path())) found.push_back(at->path());
  std::sort(found.begin(), found.end());
  return found;
}

Exit list(const fs::path& root, const std::string& format) {
  OrderedJson all = OrderedJson::array();
  for (const fs::path& directory : directories_below(root)) {
    try {
      ResultReader reader = ResultReader::load(directory);
      if (format == "json")
        all.push_back(summary(reader));
      else
        fmt::print("{}  {}{}, on {}: {} of {} runs\n", directory.string(),
                   one_line(reader.manifest().title), by(reader.manifest()),
                   one_line(reader.manifest().target), runs_done(reader),
                   reader.plan().runs.size());
    } catch (const Error& e) {
      // One broken directory must not hide the others.
      warn(e.what());
    }
  }
  if (format == "json") fmt::print("{}", json_text(all));
  return Exit::ok;
}

std::string state_of(const results::FinishedRun* run) {
  if (!run) return "pending";
  return run->record.ok ? "ok" : "failed";
}

void print_run(const results::PlannedRun& planned, const results::FinishedRun* run) {
  fmt::print("{:>5} {:>5} {:>8}  {:<8} {}", planned.index, planned.block, planned.position,
             state_of(run), one_line(planned.cell));
  if (run) {
    fmt::print("  {}", run->folder.filename().string());
    if (!run->record.ok) fmt::print(": {}", one_line(run->record.error));
    for (const results::Mark& mark : run->record.marks)
      fmt::print("\n{:30} {}: {}", "", results::to_text(mark.weight), one_line(mark.text));
  }
  fmt::print("\n");
}

Exit show(const fs::path& directory, const std::string& format) {
  ResultReader reader = ResultReader::load(directory);
  if (format == "json") {
    OrderedJson out = summary(reader);
    out["conditions"] = results::to_json(reader.manifest())["conditions"];
    OrderedJson runs = OrderedJson::array();
    for (const results::PlannedRun& planned : reader.plan().runs) {
      const results::FinishedRun* run = reader.find(planned.index);
      OrderedJson j = {{"index", planned.index},
                       {"cell", planned.cell},
                       {"block", planned.block},
                       {"position", planned.position},
                       {"state", state_of(run)}};
      if (run) {
        j["folder"] = run->folder.string();
        j["record"] = results::to_json(run->record);
      }
      runs.push_back(std::move(j));
    }
    out["runs"] = runs;
    out["damaged"] = reader.damaged();
    fmt::print("{}", json_text(out));
    return Exit::ok;
  }
  const results::Manifest& m = reader.manifest();
  fmt::print("title    {}\ncreated  {}\ntarget   {}\nmatrix   {}\ncommand  {}\n", one_line(m.title),
             one_line(m.created), one_line(m.target), one_line(join(m.matrix, ", ")),
             one_line(join(m.command, " ")));
  for (const auto& [key, text] : m.conditions)
    fmt::print("{}: {}\n", one_line(key), one_line(text));
  fmt::print("runs     {} of {} done\n\n", runs_done(reader), reader.plan().runs.size());
  fmt::print("  run block position  state    cell\n");
  for (const results::PlannedRun& planned : reader.plan().runs)
    print_run(planned, reader.find(planned.index));
  for (const std::string& reason : reader.damaged()) fmt::print("left out: {}\n", one_line(reason));
  return Exit::ok;
}

}  // namespace

void add_results(CLI::App& app, Action& action) {
  struct State {
    std::string path;
    std::string root = "results";
    std::string format = "table";
  };
  auto state = std::make_shared<State>();
  CLI::App* results = app.add_subcommand("results", "What has been measured so far.");
  results->require_subcommand(1);
  auto add_format = [&](CLI::App* command) {
    command->add_option("--format", state->format, "table or json")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
  };
  CLI::App* list_command =
      results->add_subcommand("list", "The result directories below one, oldest first.");
  list_command->add_option("DIR", state->root, "where they are")->capture_default_str();
  add_format(list_command);
  list_command->callback(
      [state, &action] { action = [state] { return list(state->root, state->format); }; });

  CLI::App* show_command =
      results->add_subcommand("show", "Conditions of one result directory and state of its runs.");
  show_command->add_option("DIR", state->path, "result directory")->required();
  add_format(show_command);
  show_command->callback(
      [state, &action] { action = [state] { return show(state->path, state->format); }; });
}

}  // namespace lab::cli
