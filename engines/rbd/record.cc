#include "engines/rbd/record.h"

#include "runner/base/json.h"

namespace lab::rbd {
namespace {

OrderedJson begin(const char* event, const Options& options, RecordStamp stamp) {
  return {{"event", event},           {"engine", "rbd"},  {"job", options.job},
          {"subjob", options.subjob}, {"pid", stamp.pid}, {"time_s", stamp.time_s}};
}

// Names come from users: bytes that are no UTF-8 must not lose the record.
std::string line(const OrderedJson& record) {
  return record.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// The write-around cache keeps no counters: the options say that it is there, and the
// counters that no object cacher is.
const char* cache_objects(const ImageState& state) {
  if (state.object_cacher) return "objectcacher";
  return state.cache_effective == CacheMode::writearound ? "writearound" : "none";
}

}  // namespace

std::string open_record(const Options& options, const ImageState& state, RecordStamp stamp) {
  OrderedJson record = begin("open", options, stamp);
  record["pool"] = options.pool;
  record["namespace"] = options.name_space;
  record["image"] = options.rbdname;
  record["size_bytes"] = state.size_bytes;
  record["ceph_version"] = state.ceph_version;
  record["cache_asked"] = to_text(options.cache);
  record["cache_effective"] = to_text(state.cache_effective);
  record["cache_objects"] = cache_objects(state);
  auto add = [&](const char* list, const EffectiveOptions& told) {
    for (const auto& [name, option] : told)
      record[list][name] = {{"value", option.value}, {"source", option.source}};
  };
  add("options", state.options);
  add("client_options", state.client_options);
  return line(record);
}

std::string close_record(const Options& options, const JobCounts& counts, double flush_s,
                         RecordStamp stamp) {
  OrderedJson record = begin("close", options, stamp);
  record["flush_s"] = flush_s;
  record["reads"] = counts.reads;
  record["writes"] = counts.writes;
  record["trims"] = counts.trims;
  record["syncs"] = counts.syncs;
  record["errors"] = counts.errors;
  record["zero_reads"] = counts.zero_reads;
  return line(record);
}

}  // namespace lab::rbd
