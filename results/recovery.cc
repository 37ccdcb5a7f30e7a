#include "results/recovery.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::results {
namespace {

constexpr const char* kRecord = "recovery.json";
constexpr const char* kPoints = "recovery.csv";
constexpr std::string_view kHeader =
    "time_s,degraded_objects,misplaced_objects,unclean_pgs,recovered_objects,recovered_bytes";

std::optional<double> real_if_there(JsonObject& object, std::string_view key) {
  if (!object.has(key) || object.value(key).is_null()) return {};
  return object.real(key);
}

std::optional<uint64_t> number_if_there(JsonObject& object, std::string_view key) {
  if (!object.has(key) || object.value(key).is_null()) return {};
  return object.number(key);
}

template <typename Value>
OrderedJson or_null(const std::optional<Value>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

}  // namespace

const RecoveryPhase* RecoveryRecord::phase(std::string_view name) const {
  const auto found = std::find_if(phases.begin(), phases.end(),
                                  [&](const RecoveryPhase& phase) { return phase.name == name; });
  return found == phases.end() ? nullptr : &*found;
}

std::optional<double> RecoveryRecord::end_of(std::string_view name) const {
  const RecoveryPhase* found = phase(name);
  if (!found) return {};
  return found == &phases.back() ? end_s : (found + 1)->begin_s;
}

RecoveryRecord recovery_record_from_json(const JsonDocument& document) {
  JsonObject o(document, "");
  RecoveryRecord r;
  r.method = o.text("method");
  for (const std::string& at : o.array("osds"))
    r.osds.push_back(document.root().at(OrderedJson::json_pointer(at)).get<int>());
  r.load = o.flag_or("load", true);
  for (const std::string& at : o.array("phases")) {
    JsonObject phase(document, at);
    r.phases.push_back({phase.text("name"), phase.real("begin_s"), phase.text("begin")});
  }
  r.end_s = o.real("end_s");
  r.end = o.text_or("end", "");
  r.degraded_gone_s = real_if_there(o, "degraded_gone_s");
  r.misplaced_gone_s = real_if_there(o, "misplaced_gone_s");
  r.clean_s = real_if_there(o, "clean_s");
  r.recovered_objects = number_if_there(o, "recovered_objects");
  r.recovered_bytes = number_if_there(o, "recovered_bytes");
  if (o.has("options")) {
    JsonObject options = o.object("options");
    for (const auto& [name, unused] : options.json().items()) {
      JsonObject option = options.object(name);
      r.options[name] = {option.text("value"), option.text_or("source", "")};
    }
  }
  r.looks_missed = o.number_or("looks_missed", 0);
  if (o.has("samples_missed")) {
    JsonObject missed = o.object("samples_missed");
    for (const auto& [name, unused] : missed.json().items())
      r.samples_missed[name] = missed.number(name);
  }
  return r;
}

OrderedJson to_json(const RecoveryRecord& r) {
  OrderedJson phases = OrderedJson::array();
  for (const RecoveryPhase& phase : r.phases)
    phases.push_back({{"name", phase.name}, {"begin_s", phase.begin_s}, {"begin", phase.begin}});
  OrderedJson options = OrderedJson::object();
  for (const auto& [name, option] : r.options)
    options[name] = {{"value", option.value}, {"source", option.source}};
  return {{"method", r.method},
          {"osds", r.osds},
          {"load", r.load},
          {"phases", phases},
          {"end_s", r.end_s},
          {"end", r.end},
          {"degraded_gone_s", or_null(r.degraded_gone_s)},
          {"misplaced_gone_s", or_null(r.misplaced_gone_s)},
          {"clean_s", or_null(r.clean_s)},
          {"recovered_objects", or_null(r.recovered_objects)},
          {"recovered_bytes", or_null(r.recovered_bytes)},
          {"options", options},
          {"looks_missed", r.looks_missed},
          {"samples_missed", r.samples_missed}};
}

bool has_recovery(const fs::path& folder) { return fs::exists(folder / kRecord); }

std::optional<RecoveryRecord> load_recovery(const fs::path& folder) {
  if (!has_recovery(folder)) return {};
  return recovery_record_from_json(JsonDocument::load(folder / kRecord));
}

void save_recovery(const fs::path& folder, const RecoveryRecord& record) {
  write_file_atomically(folder / kRecord, json_text(to_json(record)));
}

RecoveryLog::RecoveryLog(const fs::path& folder) : out_(folder / kPoints) {
  out_ << kHeader << "\r\n";
}

void RecoveryLog::add(const RecoveryPoint& point) {
  out_ << fmt::format("{:.3f},{},{},{},{},{}\r\n", point.time_s, point.degraded_objects,
                      point.misplaced_objects, point.unclean_pgs, point.recovered_objects,
                      point.recovered_bytes)
       << std::flush;
}

RecoveryPoints::RecoveryPoints(const fs::path& folder) : lines_(folder / kPoints) {}

bool RecoveryPoints::next(RecoveryPoint& point) {
  while (lines_.next()) {
    if (lines_.number() == 1) {
      if (lines_.line() != kHeader) damaged_.add(1);
      continue;
    }
    CsvFields<6> fields;
    if (split_line(lines_.line(), fields) && time_of(fields[0], point.time_s) &&
        number_of(fields[1], point.degraded_objects) &&
        number_of(fields[2], point.misplaced_objects) && number_of(fields[3], point.unclean_pgs) &&
        number_of(fields[4], point.recovered_objects) &&
        number_of(fields[5], point.recovered_bytes))
      return true;
    damaged_.add(lines_.number());
  }
  return false;
}

}  // namespace lab::results
