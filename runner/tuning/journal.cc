#include "runner/tuning/journal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "runner/base/fail_point.h"
#include "runner/base/text.h"

namespace lab {
namespace {

// Of one line, which is also the text of one config-key: the monitors take 64 KiB.
constexpr size_t kMostEntries = 500;
constexpr size_t kMostBytes = 60000;

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

std::vector<OrderedJson> undos_json(const std::vector<Undo>& undos) {
  std::vector<OrderedJson> entries;
  entries.reserve(undos.size());
  for (const Undo& undo : undos) entries.push_back(undo_json(undo));
  return entries;
}

std::vector<OrderedJson> restarts_json(const std::vector<std::string>& daemons) {
  std::vector<OrderedJson> entries;
  entries.reserve(daemons.size());
  for (const std::string& daemon : daemons)
    entries.push_back(OrderedJson::object({{"restart", daemon}}));
  return entries;
}

// Arrays of entries: with ten thousand daemons a line for each would be as many writes of the
// monitors, one after the other.
std::vector<std::string> lines_of(const std::vector<OrderedJson>& entries) {
  std::vector<std::string> lines;
  std::vector<std::string> texts;
  size_t bytes = 0;
  auto end_line = [&] {
    if (!texts.empty()) lines.push_back("[" + join(texts, ",") + "]");
    texts.clear();
    bytes = 0;
  };
  for (const OrderedJson& entry : entries) {
    std::string text = json_line(entry);
    if (texts.size() == kMostEntries || bytes + text.size() > kMostBytes) end_line();
    bytes += text.size() + 1;
    texts.push_back(std::move(text));
  }
  end_line();
  return lines;
}

// Gathers entries, of which several may be for the same knob or daemon.
class Gatherer {
 public:
  explicit Gatherer(Changes& changes) : changes_(changes) {}

  void add(JsonObject entry) {
    if (entry.has("restart")) {
      std::string daemon = entry.text("restart");
      if (daemons_.insert(daemon).second) changes_.restarts.push_back(std::move(daemon));
      return;
    }
    Knob knob = knob_from_json(entry);
    // The first one knows how it was before any change.
    if (!knobs_.insert(knob).second) return;
    const OrderedJson& before = entry.value("before");
    changes_.undos.push_back(
        {std::move(knob), before.is_null() ? KnobValue() : before.get<std::string>()});
  }

 private:
  Changes& changes_;
  std::set<Knob> knobs_;
  std::set<std::string> daemons_;
};

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
  Journal journal(found.head, std::move(path), std::move(record));
  // Found on one side only, where a lab was killed between the two: both again, since what is put
  // back now may be cut short, too.
  std::vector<OrderedJson> entries = undos_json(found.undos);
  for (OrderedJson& entry : restarts_json(found.restarts)) entries.push_back(std::move(entry));
  std::vector<std::string> lines = lines_of(entries);
  lines.insert(lines.begin(), json_line(head_json(found.head)));
  if (ceph::is_this_host(found.head.holder) && !fs::exists(journal.path_)) {
    make_directories(journal.path_.parent_path());
    write_file_atomically(journal.path_, join(lines, "\n") + "\n", 0600);
  }
  if (journal.record_.read().empty())
    for (const std::string& line : lines) journal.record_.append(line);
  journal.begun_ = true;
  return journal;
}

void Journal::append(const std::vector<OrderedJson>& entries) {
  if (entries.empty()) return;
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
  for (const std::string& line : lines_of(entries)) {
    append_line(path_, line);
    fail_point("journal entries: on disk");
    record_.append(line);
    fail_point("journal entries: in the cluster");
  }
}

void Journal::add(const std::vector<Undo>& undos) { append(undos_json(undos)); }

void Journal::add_restarts(const std::vector<std::string>& daemons) {
  append(restarts_json(daemons));
}

void Journal::close() {
  if (!begun_) return;
  fail_point("journal close: before");
  record_.remove();
  fail_point("journal close: cluster's record removed");
  if (fs::exists(path_)) remove_durably(path_);
  fail_point("journal close: done");
  begun_ = false;
}

Changes parse_journal(const std::vector<std::string>& lines, const std::string& name) {
  Changes changes;
  Gatherer gatherer(changes);
  for (size_t i = 0; i < lines.size(); ++i) {
    const JsonDocument document =
        JsonDocument::parse(lines[i], fmt::format("{}: line {}", name, i + 1));
    if (i == 0) {
      changes.head = parse_head(document);
      continue;
    }
    if (!document.root().is_array()) throw document.error_at("", "is no array of entries");
    for (size_t entry = 0; entry < document.root().size(); ++entry)
      gatherer.add(JsonObject(document, fmt::format("/{}", entry)));
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
    const std::string in_cluster = std::string("config-key ") + ClusterRecord::kPrefix;
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
    // A line that has not reached the cluster belongs to changes that were not made; to put
    // them back changes nothing.
    return of_host.size() >= of_cluster.size() ? here : there;
  } catch (const Error& e) {
    throw environment_error(
        "a lab has changed this cluster, and what it wrote of that can't be read: {}. Put it back "
        "by hand (`ceph config-key dump {}` and {} tell what was changed), then remove both",
        e.what(), ClusterRecord::kPrefix, path.string());
  }
}

}  // namespace lab
