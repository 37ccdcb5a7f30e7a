#include "runner/tuning/journal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "runner/base/fail_point.h"
#include "runner/base/text.h"

namespace lab {
namespace {

constexpr const char* kPrefix = "lab/changes/";
constexpr const char* kWord = "lab/restored";

OrderedJson head_json(const JournalHead& head) {
  return {{"fsid", head.fsid},
          {"holder", OrderedJson::parse(ceph::to_cookie(head.holder))},
          {"driver", head.driver}};
}

JournalHead parse_head(const JsonDocument& document) {
  JsonObject object(document, "");
  JournalHead head;
  head.fsid = object.text("fsid");
  const auto holder = ceph::from_cookie(object.value("holder").dump());
  if (!holder) throw object.error("holder", "names nobody");
  head.holder = *holder;
  head.driver = object.value("driver");
  return head;
}

OrderedJson undo_json(const Undo& undo) {
  OrderedJson json = to_json(undo.knob);
  json["before"] = undo.before ? OrderedJson(*undo.before) : OrderedJson(nullptr);
  return json;
}

void add_entry(Changes& changes, const JsonDocument& document) {
  JsonObject object(document, "");
  if (object.has("restart")) {
    const std::string daemon = object.text("restart");
    if (std::find(changes.restarts.begin(), changes.restarts.end(), daemon) ==
        changes.restarts.end())
      changes.restarts.push_back(daemon);
    return;
  }
  const Knob knob = knob_from_json(object);
  // The first one knows how it was before any change.
  if (std::any_of(changes.undos.begin(), changes.undos.end(),
                  [&](const Undo& undo) { return undo.knob == knob; }))
    return;
  const OrderedJson& before = object.value("before");
  changes.undos.push_back({knob, before.is_null() ? KnobValue() : before.get<std::string>()});
}

std::vector<std::string> journal_lines(const fs::path& path) {
  if (!fs::exists(path)) return {};
  std::vector<std::string> lines = split(read_file(path), '\n');
  // What follows the last newline was cut off, or is nothing.
  lines.pop_back();
  return lines;
}

void remove_durably(const fs::path& path) {
  const fs::path gone = path.string() + ".done";
  rename_durably(path, gone);
  fs::remove(gone);
}

}  // namespace

std::vector<std::string> ClusterRecord::read() {
  const Json all = cluster_.mon({{"prefix", "config-key dump"}, {"key", kPrefix}});
  std::vector<std::string> texts;
  // A JSON object is sorted by its keys, and the numbers have leading zeros.
  for (const auto& [key, value] : all.items()) {
    if (!key.starts_with(kPrefix)) continue;
    texts.push_back(value.get<std::string>());
    next_ = std::strtoul(key.c_str() + std::string_view(kPrefix).size(), nullptr, 10) + 1;
  }
  return texts;
}

void ClusterRecord::append(const std::string& text) {
  cluster_.mon({{"prefix", "config-key set"},
                {"key", fmt::format("{}{:08}", kPrefix, next_++)},
                {"val", text}});
}

void ClusterRecord::remove() {
  const Json all = cluster_.mon({{"prefix", "config-key dump"}, {"key", kPrefix}});
  std::vector<std::string> keys;
  for (const auto& [key, value] : all.items())
    if (key.starts_with(kPrefix)) keys.push_back(key);
  // The head goes last: a removal that is cut short leaves a record that can be read.
  for (auto key = keys.rbegin(); key != keys.rend(); ++key)
    cluster_.mon({{"prefix", "config-key rm"}, {"key", *key}});
  next_ = 0;
}

void ClusterRecord::leave_word(const ceph::LockHolder& holder) {
  cluster_.mon({{"prefix", "config-key set"}, {"key", kWord}, {"val", ceph::to_cookie(holder)}});
}

bool ClusterRecord::take_word(const ceph::LockHolder& holder) {
  const Json all = cluster_.mon({{"prefix", "config-key dump"}, {"key", kWord}});
  const auto word = all.find(kWord);
  if (word == all.end() || *word != ceph::to_cookie(holder)) return false;
  cluster_.mon({{"prefix", "config-key rm"}, {"key", kWord}});
  return true;
}

fs::path journal_path(const std::string& fsid) {
  auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  fs::path directory = variable("LAB_STATE_DIR");
  if (directory.empty() && geteuid() == 0) directory = "/var/lib/lab";
  if (directory.empty() && !variable("XDG_STATE_HOME").empty())
    directory = variable("XDG_STATE_HOME") / "lab";
  if (directory.empty()) directory = variable("HOME") / ".local" / "state" / "lab";
  return directory / (fsid + ".journal");
}

Journal Journal::reopen(const Changes& found, fs::path path, ClusterRecord record) {
  Journal journal(found.head, std::move(path), record);
  journal.undos_ = found.undos;
  // Found on one side only, where a lab was killed between the two: both again, since what is put
  // back now may be cut short, too.
  std::vector<std::string> lines = {json_line(head_json(found.head))};
  for (const Undo& undo : found.undos) lines.push_back(json_line(undo_json(undo)));
  for (const std::string& daemon : found.restarts)
    lines.push_back(json_line({{"restart", daemon}}));
  if (ceph::is_this_host(found.head.holder) && !fs::exists(journal.path_)) {
    make_directories(journal.path_.parent_path());
    write_file_atomically(journal.path_, join(lines, "\n") + "\n", 0600);
  }
  if (journal.record_.read().empty())
    for (const std::string& line : lines) journal.record_.append(line);
  journal.begun_ = true;
  return journal;
}

void Journal::append(const OrderedJson& entry) {
  if (!begun_) {
    // Not before there is something to undo: a lab that only looks leaves no trace.
    make_directories(path_.parent_path());
    const OrderedJson head = head_json(head_);
    begun_ = true;
    fail_point("journal head: before");
    write_file_atomically(path_, json_line(head) + "\n", 0600);
    fail_point("journal head: on disk");
    record_.append(json_line(head));
    fail_point("journal head: in the cluster");
  }
  const std::string line = json_line(entry);
  append_line(path_, line);
  fail_point("journal entry: on disk");
  record_.append(line);
  fail_point("journal entry: in the cluster");
}

void Journal::add(const std::vector<Undo>& undos) {
  for (const Undo& undo : undos) {
    append(undo_json(undo));
    undos_.push_back(undo);
  }
}

void Journal::add_restarts(const std::vector<std::string>& daemons) {
  for (const std::string& daemon : daemons) append({{"restart", daemon}});
}

void Journal::close() {
  if (!begun_) return;
  fail_point("journal close: before");
  record_.remove();
  fail_point("journal close: cluster's record removed");
  if (fs::exists(path_)) remove_durably(path_);
  fail_point("journal close: done");
  undos_.clear();
  begun_ = false;
}

Changes parse_journal(const std::vector<std::string>& lines, const std::string& name) {
  Changes changes;
  for (size_t i = 0; i < lines.size(); ++i) {
    const JsonDocument document =
        JsonDocument::parse(lines[i], fmt::format("{}: entry {}", name, i + 1));
    if (i == 0)
      changes.head = parse_head(document);
    else
      add_entry(changes, document);
  }
  return changes;
}

std::optional<Changes> read_journal(const fs::path& path) {
  const std::vector<std::string> lines = journal_lines(path);
  if (lines.empty()) return {};
  return parse_journal(lines, path.string());
}

std::map<Knob, fs::path> host_changes_of_others(const fs::path& own) {
  std::map<Knob, fs::path> changed;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(own.parent_path(), error)) {
    const fs::path& path = entry.path();
    if (path.extension() != own.extension() || path.filename() == own.filename()) continue;
    if (const std::optional<Changes> changes = read_journal(path))
      for (const Undo& undo : changes->undos)
        if (undo.knob.kind == KnobKind::sysctl) changed.emplace(undo.knob, path);
  }
  return changed;
}

std::optional<Changes> find_changes(const fs::path& path, ClusterRecord& record) {
  const std::vector<std::string> of_cluster = record.read();
  const std::vector<std::string> of_host = journal_lines(path);
  if (of_cluster.empty() && of_host.empty()) return {};
  try {
    const std::string in_cluster = std::string("config-key ") + kPrefix;
    if (of_host.empty()) return parse_journal(of_cluster, in_cluster);
    Changes here = parse_journal(of_host, path.string());
    if (of_cluster.empty()) {
      if (!record.take_word(here.head.holder)) return here;
      fs::remove(path);
      return {};
    }
    Changes there = parse_journal(of_cluster, in_cluster);
    if (!(here.head.holder == there.head.holder)) {
      // An older lab's, whose changes were put back from elsewhere.
      rename_durably(path, path.string() + ".stale");
      return there;
    }
    // An entry that has not reached the cluster belongs to a change that was not made; to put
    // it back changes nothing.
    return of_host.size() >= of_cluster.size() ? here : there;
  } catch (const Error& e) {
    throw environment_error(
        "a lab has changed this cluster, and what it wrote of that can't be read: {}. Put it back "
        "by hand (`ceph config-key dump {}` and {} tell what was changed), then remove both",
        e.what(), kPrefix, path.string());
  }
}

}  // namespace lab
