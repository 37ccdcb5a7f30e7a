#include "results/writer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "results/reader.h"
#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/base/time.h"

namespace lab::results {
namespace {

constexpr std::string_view kTemporaryPrefix = ".tmp-";

void require_space(const fs::path& path, const WriterOptions& options) {
  uint64_t free = free_bytes(path);
  if (free < options.min_free_bytes)
    throw environment_error(
        "{}: only {} free where results are to be written, {} needed; free some space or choose "
        "another place with --out",
        path.string(), format_bytes(free), format_bytes(options.min_free_bytes));
}

// A directory of that name, or with "-2", "-3", … if it is taken; made, never reused.
fs::path make_unique_directory(const fs::path& root, const std::string& name) {
  for (unsigned n = 1; n < 1000; ++n) {
    fs::path path = root / (n == 1 ? name : fmt::format("{}-{}", name, n));
    if (mkdir(path.c_str(), 0755) == 0) return path;
    if (errno != EEXIST)
      throw environment_error(
          "{}: cannot create directory: {}; choose another place with --out, or make it writable",
          path.string(), strerror(errno));
  }
  throw environment_error("{}: a thousand directories of the name {} are there already",
                          root.string(), name);
}

std::string directory_name(const Manifest& manifest, TimePoint now) {
  std::string name = format_utc_for_name(now) + "-" + folder_name_piece(manifest.title);
  if (!manifest.matrix.empty()) name += "-" + folder_name_piece(join(manifest.matrix, "-"));
  return name;
}

void remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw environment_error("{}: cannot remove: {}", path.string(), error.message());
}

void remove_temporary_folders(const fs::path& runs) {
  std::vector<fs::path> leftovers;
  std::error_code error;
  for (fs::directory_iterator at(runs, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(kTemporaryPrefix))
      leftovers.push_back(at->path());
  if (error) throw environment_error("{}: cannot list: {}", runs.string(), error.message());
  for (const fs::path& leftover : leftovers) remove_tree(leftover);
}

// A line without its newline was never complete: the next one must not be glued to it.
void cut_unfinished_line(const fs::path& path) {
  if (!fs::exists(path)) return;
  std::string content = read_file(path);
  if (content.empty() || content.back() == '\n') return;
  size_t keep = content.rfind('\n') == std::string::npos ? 0 : content.rfind('\n') + 1;
  if (truncate(path.c_str(), static_cast<off_t>(keep)) != 0)
    throw environment_error("{}: cannot cut off the unfinished last line: {}", path.string(),
                            strerror(errno));
}

}  // namespace

std::string folder_name_piece(std::string_view text) {
  std::string out;
  for (char c : text.substr(0, 60)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '.' || c == '_' || c == '-';
    out += plain ? c : '-';
  }
  if (out.empty() || out.front() == '.') out.insert(0, "x");
  return out;
}

ResultWriter::ResultWriter(fs::path directory, DirectoryLock lock, Manifest manifest, Plan plan,
                           WriterOptions options)
    : directory_(std::move(directory)),
      lock_(std::move(lock)),
      manifest_(std::move(manifest)),
      plan_(std::move(plan)),
      options_(options) {}

void ResultWriter::check_root(const fs::path& root, const WriterOptions& options) {
  if (is_result_directory(root))
    throw usage_error(
        "{}: is a result directory itself; --resume goes on with it, or name the "
        "directory above it",
        root.string());
  require_space(root, options);
  // Only trying tells: root may write anywhere by its mode bits, and a file system may
  // be read-only.
  fs::path existing = fs::absolute(root);
  std::error_code ignored;
  while (!fs::exists(existing, ignored) && existing.has_relative_path())
    existing = existing.parent_path();
  const fs::path probe = make_unique_directory(existing, fmt::format(".lab-probe-{}", getpid()));
  fs::remove(probe, ignored);
}

ResultWriter ResultWriter::create(const fs::path& root, Manifest manifest, Plan plan,
                                  std::string_view job_file, WriterOptions options) {
  make_directories(root);
  require_space(root, options);
  TimePoint now = std::chrono::system_clock::now();
  if (manifest.created.empty()) manifest.created = format_utc(now);
  fs::path directory = make_unique_directory(root, directory_name(manifest, now));
  DirectoryLock lock(directory);
  make_directories(directory / "runs");
  write_file_atomically(directory / "job.fio", job_file);
  write_file_atomically(directory / "plan.json", json_text(to_json(plan)));
  // The manifest last: a directory that has one is complete.
  write_file_atomically(directory / "manifest.json", json_text(to_json(manifest)));
  return {directory, std::move(lock), std::move(manifest), std::move(plan), options};
}

ResultWriter ResultWriter::reopen(const fs::path& directory, WriterOptions options) {
  ResultReader::load(directory);  // complains before a lock file is put into a stranger's directory
  DirectoryLock lock(directory);
  ResultReader reader = ResultReader::load(directory);
  require_space(directory, options);
  make_directories(directory / "runs");
  remove_temporary_folders(directory / "runs");
  cut_unfinished_line(directory / "events.jsonl");
  return {directory, std::move(lock), reader.manifest(), reader.plan(), options};
}

std::vector<unsigned> ResultWriter::finished_runs() const {
  ResultReader reader = ResultReader::load(directory_);
  std::vector<unsigned> finished;
  for (const FinishedRun& run : reader.runs())
    if (run.record.ok) finished.push_back(run.record.index);
  return finished;
}

fs::path ResultWriter::begin_run(unsigned index) {
  const PlannedRun* planned = plan_.find_run(index);
  if (!planned) throw usage_error("{}: the plan has no run {}", directory_.string(), index);
  require_space(directory_, options_);
  drop_run();
  fs::path folder = directory_ / "runs" /
                    fmt::format("{}{:04}-b{}-{}", kTemporaryPrefix, index, planned->block,
                                folder_name_piece(planned->cell));
  remove_tree(folder);
  make_directories(folder);
  open_ = OpenRun{index, folder};
  return folder;
}

fs::path ResultWriter::finish_run(RunRecord record) {
  if (!open_ || open_->index != record.index)
    throw usage_error("{}: run {} was not begun", directory_.string(), record.index);
  const PlannedRun* planned = plan_.find_run(record.index);
  record.cell = planned->cell;
  record.block = planned->block;
  record.position = planned->position;
  std::string name = open_->folder.filename().string().substr(kTemporaryPrefix.size());
  fs::path place = directory_ / "runs" / name;
  for (record.attempt = 1; fs::exists(place); ++record.attempt)
    place = directory_ / "runs" / fmt::format("{}.try{}", name, record.attempt + 1);
  write_file_atomically(open_->folder / "run.json", json_text(to_json(record)));
  sync_tree(open_->folder);
  rename_durably(open_->folder, place);
  open_.reset();
  return place;
}

void ResultWriter::drop_run() {
  if (!open_) return;
  remove_tree(open_->folder);
  open_.reset();
}

void ResultWriter::append_event(std::string_view event, const OrderedJson& fields) {
  OrderedJson line = {{"time", utc_now()}, {"event", event}};
  for (const auto& [key, value] : fields.items()) line[key] = value;
  append_line(directory_ / "events.jsonl", json_line(line));
}

void ResultWriter::replan(Plan plan) {
  const ResultReader reader = ResultReader::load(directory_);
  for (const FinishedRun& run : reader.runs()) {
    const PlannedRun* planned = plan.find_run(run.record.index);
    if (!planned || planned->cell != run.record.cell || planned->block != run.record.block ||
        planned->position != run.record.position)
      throw usage_error("{}: the new plan does not have run {} as it was measured",
                        directory_.string(), run.record.index);
  }
  write_file_atomically(directory_ / "plan.json", json_text(to_json(plan)));
  plan_ = std::move(plan);
}

void ResultWriter::update_manifest(Manifest manifest) {
  manifest_ = std::move(manifest);
  write_file_atomically(directory_ / "manifest.json", json_text(to_json(manifest_)));
}

}  // namespace lab::results
