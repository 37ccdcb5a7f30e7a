#include "results/reader.h"

#include <algorithm>

#include "runner/base/error.h"

namespace lab::results {
namespace {

std::string load_part(const fs::path& directory, const char* file) {
  fs::path path = directory / file;
  std::error_code error;
  if (fs::exists(path, error)) return read_file(path);
  if (!fs::is_empty(directory / "runs", error) && !error)
    throw usage_error(
        "{}: there is no {} here, but there are runs: put that file back from a copy (lab writes "
        "it "
        "before the first run and needs it to tell what they are)",
        directory.string(), file);
  throw usage_error(
      "{}: there is no {} here, so it is no result directory, or one that lab was killed while it "
      "made it, which holds no figures",
      directory.string(), file);
}

Manifest read_manifest(const fs::path& directory) {
  return manifest_from_json(JsonDocument::parse(load_part(directory, "manifest.json"),
                                                (directory / "manifest.json").string()));
}

FinishedRun load_run(const fs::path& folder, const Plan& plan) {
  fs::path path = folder / "run.json";
  if (!fs::exists(path)) throw usage_error("{}: run.json is missing", folder.string());
  FinishedRun run{run_record_from_json(JsonDocument::load(path)), folder};
  const PlannedRun* planned = plan.find_run(run.record.index);
  if (!planned || planned->cell != run.record.cell || planned->block != run.record.block ||
      planned->position != run.record.position)
    throw usage_error("{}: the plan has no run {} of cell \"{}\" at place {} of block {}",
                      path.string(), run.record.index, run.record.cell, run.record.position,
                      run.record.block);
  return run;
}

}  // namespace

ResultReader ResultReader::load(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    throw usage_error(
        "{}: {}", directory.string(),
        fs::exists(directory, error) ? "is no directory" : "there is no such directory");
  ResultReader reader;
  reader.directory_ = directory;
  reader.manifest_ = read_manifest(directory);
  reader.read_plan();
  reader.read_new_runs();
  return reader;
}

void ResultReader::refresh() {
  manifest_ = read_manifest(directory_);
  read_plan();
  read_new_runs();
}

void ResultReader::read_plan() {
  std::string text = load_part(directory_, "plan.json");
  if (text == plan_text_) return;
  plan_ = plan_from_json(JsonDocument::parse(text, (directory_ / "plan.json").string()));
  plan_text_ = std::move(text);
}

void ResultReader::read_new_runs() {
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator at(directory_ / "runs", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename();
    if (at->is_directory() && !name.starts_with(".") && known_.insert(name).second)
      folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    try {
      runs_.push_back(load_run(folder, plan_));
    } catch (const Error& e) {
      damaged_.emplace_back(e.what());
    }
  }
  auto order = [](const FinishedRun& a, const FinishedRun& b) {
    return std::pair(a.record.index, a.record.attempt) <
           std::pair(b.record.index, b.record.attempt);
  };
  std::stable_sort(runs_.begin(), runs_.end(), order);
  // Only the last attempt counts: a run is repeated because the one before it failed.
  std::vector<FinishedRun> last;
  for (FinishedRun& run : runs_) {
    if (!last.empty() && last.back().record.index == run.record.index)
      last.back() = std::move(run);
    else
      last.push_back(std::move(run));
  }
  runs_ = std::move(last);
}

const FinishedRun* ResultReader::find(unsigned index) const {
  auto found = std::find_if(runs_.begin(), runs_.end(),
                            [&](const FinishedRun& run) { return run.record.index == index; });
  return found == runs_.end() ? nullptr : &*found;
}

std::optional<std::string> load_optional(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  return read_file(path);
}

std::optional<Effective> load_effective(const fs::path& run_folder) {
  fs::path path = run_folder / "effective.jsonl";
  std::optional<std::string> text = load_optional(path);
  if (!text) return {};
  return parse_effective(*text, path.string());
}

bool is_result_directory(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_regular_file(directory / "manifest.json", ignored);
}

}  // namespace lab::results
