#include "analysis/fio_json.h"

#include <algorithm>
#include <charconv>

#include "analysis/fio_documents.h"
#include "runner/base/error.h"
#include "runner/base/json.h"

namespace lab::analysis {
namespace {

// fio's own versions add and drop keys: what is absent counts as zero, what has another
// type than any version wrote is an error.
class Reader {
 public:
  Reader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json_.is_object()) throw error("an object");
  }

  uint64_t count(const char* key) const {
    const Json* v = find(key);
    if (!v) return 0;
    if (v->is_number_unsigned()) return v->get<uint64_t>();
    // Some versions wrote counters as floats or, after an overflow, negative.
    if (v->is_number_float() && v->get<double>() >= 0 && v->get<double>() < 1.8e19)
      return static_cast<uint64_t>(v->get<double>());
    throw inside(key).error("a whole number");
  }
  int64_t integer(const char* key) const {
    const Json* v = find(key);
    if (!v) return 0;
    if (!v->is_number_integer()) throw inside(key).error("a whole number");
    return v->get<int64_t>();
  }
  double real(const char* key) const {
    const Json* v = find(key);
    if (!v) return 0;
    if (!v->is_number()) throw inside(key).error("a number");
    return v->get<double>();
  }
  std::string text(const char* key) const {
    const Json* v = find(key);
    if (!v) return {};
    if (!v->is_string()) throw inside(key).error("a text");
    return v->get<std::string>();
  }
  std::map<std::string, std::string> texts(const char* key) const {
    std::map<std::string, std::string> out;
    if (!find(key)) return out;
    for (const auto& [name, value] : object(key).json_.items())
      if (value.is_string()) out[name] = value.get<std::string>();
    return out;
  }
  bool has(const char* key) const { return find(key) != nullptr; }
  Reader object(const char* key) const { return {json_.at(key), place_ + "/" + key}; }
  const Json& json() const { return json_; }
  const std::string& place() const { return place_; }
  Error error(std::string_view expected) const {
    return usage_error("{}: expected {}, found {}", place_, expected, json_.type_name());
  }

 private:
  // For the complaint about a value that need not be an object itself.
  struct Place {
    const Json& json;
    std::string place;
    Error error(std::string_view expected) const {
      return usage_error("{}: expected {}, found {}", place, expected, json.type_name());
    }
  };
  Place inside(const char* key) const { return {json_.at(key), place_ + "/" + key}; }
  const Json* find(const char* key) const {
    auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }

  const Json& json_;
  std::string place_;
};

template <typename Number>
Number number_from_key(const std::string& key, const Reader& object) {
  Number number{};
  auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (failure != std::errc{} || end != key.data() + key.size())
    throw usage_error("{}: \"{}\" is no number", object.place(), key);
  return number;
}

FioLatency read_latency(const Reader& direction, const char* key) {
  FioLatency latency;
  if (!direction.has(key)) return latency;
  Reader o = direction.object(key);
  latency.samples = o.count("N");
  latency.min_ns = o.count("min");
  latency.max_ns = o.count("max");
  latency.mean_ns = o.real("mean");
  latency.stddev_ns = o.real("stddev");
  if (o.has("percentile")) {
    Reader percentiles = o.object("percentile");
    for (const auto& [percent, unused] : percentiles.json().items())
      latency.percentiles_ns[number_from_key<double>(percent, percentiles)] =
          percentiles.count(percent.c_str());
  }
  if (o.has("bins")) {
    Reader bins = o.object("bins");
    // The keys are ordered as texts here: put into order first, then append.
    std::map<uint64_t, uint64_t> sorted;
    for (const auto& [value, unused] : bins.json().items())
      sorted[number_from_key<uint64_t>(value, bins)] = bins.count(value.c_str());
    for (const auto& [value, count] : sorted) latency.bins.add(value, count);
  }
  return latency;
}

FioDirection read_direction(const Reader& job, const char* key) {
  FioDirection d;
  if (!job.has(key)) return d;
  Reader o = job.object(key);
  d.total_ios = o.count("total_ios");
  d.short_ios = o.count("short_ios");
  d.dropped_ios = o.count("drop_ios");
  d.io_bytes = o.count("io_bytes");
  d.runtime_ms = o.count("runtime");
  d.iops = o.real("iops");
  d.bytes_per_s = o.real("bw_bytes");
  d.slat = read_latency(o, "slat_ns");
  d.clat = read_latency(o, "clat_ns");
  d.lat = read_latency(o, "lat_ns");
  return d;
}

FioJob read_job(const Reader& o) {
  FioJob job;
  job.name = o.text("jobname");
  job.host = o.text("hostname");
  job.group = static_cast<unsigned>(o.count("groupid"));
  job.error = static_cast<int>(o.integer("error"));
  job.total_errors = o.count("total_err");
  job.job_runtime_ms = o.count("job_runtime");
  job.user_cpu_percent = o.real("usr_cpu");
  job.system_cpu_percent = o.real("sys_cpu");
  job.options = o.texts("job options");
  job.read = read_direction(o, "read");
  job.write = read_direction(o, "write");
  job.trim = read_direction(o, "trim");
  job.mixed = read_direction(o, "mixed");
  job.sync = read_direction(o, "sync");
  return job;
}

Json parse_document(const FioDocuments::Document& document, const std::string& name) {
  try {
    return Json::parse(document.json);
  } catch (const Json::parse_error& e) {
    size_t at = std::min<size_t>(e.byte, document.json.size());
    auto lines = std::count(document.json.begin(),
                            document.json.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw usage_error("{}:{}: this is no valid JSON", name, document.line + lines);
  } catch (const Json::exception& e) {
    throw usage_error("{}:{}: {}", name, document.line, e.what());
  }
}

}  // namespace

FioOutput parse_fio(std::string_view text, const std::string& name) {
  FioDocuments found = split_fio_documents(text, name);
  if (found.documents.empty()) {
    std::string said = found.notes.empty() ? "it is empty" : "it says: " + found.notes.back();
    throw usage_error("{}:1: no JSON in fio's output; {}", name, said);
  }
  const FioDocuments::Document& last = found.documents.back();
  Json json = parse_document(last, name);
  Reader root(json, fmt::format("{}:{}: ", name, last.line));

  FioOutput output;
  output.documents = found.documents.size();
  output.notes = std::move(found.notes);
  output.version = root.text("fio version");
  output.timestamp_s = root.integer("timestamp");
  output.global_options = root.texts("global options");
  bool from_clients = root.has("client_stats");
  const char* key = from_clients ? "client_stats" : "jobs";
  if (output.version.empty() || !root.has(key) || !json.at(key).is_array())
    throw usage_error("{}:{}: this JSON is not fio's: \"fio version\" or \"jobs\" is missing", name,
                      last.line);
  for (size_t i = 0; i < json.at(key).size(); ++i) {
    FioJob job = read_job(Reader(json.at(key)[i], fmt::format("{}/{}/{}", root.place(), key, i)));
    if (from_clients && job.name == "All clients") continue;
    output.jobs.push_back(std::move(job));
  }
  return output;
}

}  // namespace lab::analysis
