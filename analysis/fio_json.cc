#include "analysis/fio_json.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <variant>

#include "analysis/fio_documents.h"
#include "runner/base/error.h"
#include "runner/base/json.h"

namespace lab::analysis {
namespace {

// A value of the document that is no object and no array.
using Scalar = std::variant<bool, uint64_t, int64_t, double, std::string_view>;

const char* kind_of(const Scalar& value) {
  if (std::holds_alternative<bool>(value)) return "boolean";
  return std::holds_alternative<std::string_view>(value) ? "string" : "number";
}

std::optional<uint64_t> as_count(const Scalar& value) {
  if (const auto* number = std::get_if<uint64_t>(&value)) return *number;
  // Some versions wrote counters as floats or, after an overflow, negative.
  const auto* number = std::get_if<double>(&value);
  if (number && *number >= 0 && *number < 1.8e19) return static_cast<uint64_t>(*number);
  return {};
}

std::optional<int64_t> as_integer(const Scalar& value) {
  if (const auto* number = std::get_if<uint64_t>(&value)) return static_cast<int64_t>(*number);
  if (const auto* number = std::get_if<int64_t>(&value)) return *number;
  return {};
}

std::optional<double> as_real(const Scalar& value) {
  if (const auto* number = std::get_if<uint64_t>(&value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<int64_t>(&value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return {};
}

// What the jobs of a document are, by the object that the parser is in.
enum class Place { root, texts, jobs, job, direction, latency, percentiles, bins };

// Where the value of a key goes: a number or text of the output, an object or array that is
// read on, or nowhere.
using Target = std::variant<std::monostate, uint64_t*, unsigned*, int64_t*, int*, double*,
                            std::string*, Place>;

// Takes the events of the JSON parser, and keeps of them what FioOutput has: the document is
// never in memory as a tree. fio's own versions add and drop keys: what is absent counts as
// zero, what has another type than any version wrote is an error.
class OutputReader {
 public:
  // `place` begins every complaint.
  OutputReader(std::string_view json, std::string place, std::string name, int line)
      : json_(json), place_(std::move(place)), name_(std::move(name)), line_(line) {}

  FioOutput output;
  std::optional<std::vector<FioJob>> jobs;
  std::optional<std::vector<FioJob>> client_stats;  // of client/server, in the place of jobs

  // The parser's events. Their names are nlohmann's; all return true: go on.
  bool null() {
    if (ignored_ == 0 && levels_.back().place == Place::jobs) throw expected("an object", "null");
    return next();
  }
  bool boolean(bool value) { return scalar(value); }
  bool number_unsigned(uint64_t value) { return scalar(value); }
  bool number_integer(int64_t value) { return scalar(value); }
  bool number_float(double value, const std::string&) { return scalar(value); }
  bool string(std::string& value) { return scalar(std::string_view(value)); }
  bool binary(Json::binary_t&) { return next(); }  // not in JSON texts
  bool key(std::string& name) {
    if (ignored_ == 0) levels_.back().key = name;
    return true;
  }
  bool start_object(size_t) { return open("object"); }
  bool start_array(size_t) { return open("array"); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(size_t byte, const std::string&, const Json::exception& e) {
    const size_t at = std::min(byte, json_.size());
    const auto lines = std::count(json_.begin(), json_.begin() + static_cast<ptrdiff_t>(at), '\n');
    const bool syntax = dynamic_cast<const Json::parse_error*>(&e) != nullptr;
    throw usage_error("{}:{}: {}", name_, line_ + lines,
                      syntax ? "this is no valid JSON" : e.what());
  }

 private:
  struct Level {
    Place place;
    std::string key;   // of the value that comes next
    size_t index = 0;  // the same in an array
  };

  bool next() {
    if (ignored_ == 0) ++levels_.back().index;
    return true;
  }

  bool scalar(const Scalar& value) {
    if (ignored_ > 0) return true;
    switch (levels_.back().place) {
      case Place::bins:
        bins_.push_back({number_from_key<uint64_t>(), count(value)});
        break;
      case Place::percentiles:
        latency_->percentiles_ns[number_from_key<double>()] = count(value);
        break;
      case Place::texts:
        if (const auto* text = std::get_if<std::string_view>(&value))
          (*texts_)[levels_.back().key] = *text;
        break;
      default:
        store(target(), value);
    }
    return next();
  }

  void store(const Target& target, const Scalar& value) {
    if (auto* const* to = std::get_if<uint64_t*>(&target)) {
      **to = count(value);
    } else if (auto* const* small = std::get_if<unsigned*>(&target)) {
      **small = static_cast<unsigned>(count(value));
    } else if (auto* const* integer = std::get_if<int64_t*>(&target)) {
      **integer = need(as_integer(value), "a whole number", value);
    } else if (auto* const* number = std::get_if<int*>(&target)) {
      **number = static_cast<int>(need(as_integer(value), "a whole number", value));
    } else if (auto* const* real = std::get_if<double*>(&target)) {
      **real = need(as_real(value), "a number", value);
    } else if (auto* const* text = std::get_if<std::string*>(&target)) {
      const auto* words = std::get_if<std::string_view>(&value);
      if (!words) throw expected("a text", kind_of(value));
      **text = *words;
    } else if (const Place* place = std::get_if<Place>(&target)) {
      throw expected(*place == Place::jobs ? "an array" : "an object", kind_of(value));
    }
  }

  uint64_t count(const Scalar& value) const {
    return need(as_count(value), "a whole number", value);
  }
  template <typename T>
  T need(std::optional<T> number, const char* what, const Scalar& value) const {
    if (!number) throw expected(what, kind_of(value));
    return *number;
  }

  bool open(std::string_view kind) {
    if (ignored_ > 0) {
      ++ignored_;
      return true;
    }
    if (levels_.empty()) {
      levels_.push_back({Place::root, {}});
      return true;
    }
    const Place in = levels_.back().place;
    if (in == Place::bins || in == Place::percentiles) throw expected("a whole number", kind);
    const Target at = target();
    const Place* place = std::get_if<Place>(&at);
    if (place && (*place == Place::jobs) == (kind == "array")) {
      enter(*place);
      return true;
    }
    if (place) throw expected(*place == Place::jobs ? "an array" : "an object", kind);
    if (std::holds_alternative<std::string*>(at)) throw expected("a text", kind);
    if (!std::holds_alternative<std::monostate>(at)) throw expected("a number", kind);
    ++ignored_;
    return true;
  }

  void enter(Place place) {
    const std::string& key = levels_.back().key;
    if (place == Place::jobs) (jobs_ = key == "jobs" ? &jobs : &client_stats)->emplace();
    if (place == Place::job) job_ = &(*jobs_)->emplace_back();
    if (place == Place::bins) bins_.clear();
    levels_.push_back({place, {}});
  }

  bool close() {
    if (ignored_ > 0) {
      --ignored_;
      if (ignored_ == 0) next();
      return true;
    }
    if (levels_.back().place == Place::bins) latency_->bins = Histogram::of(bins_);
    levels_.pop_back();
    return levels_.empty() || next();
  }

  // What becomes of the next value.
  Target target() {
    const std::string& key = levels_.back().key;
    switch (levels_.back().place) {
      case Place::root:
        return root_target(key);
      case Place::jobs:
        return Place::job;
      case Place::job:
        return job_target(key);
      case Place::direction:
        return direction_target(key);
      case Place::latency:
        return latency_target(key);
      case Place::texts:
      case Place::percentiles:
      case Place::bins:
        break;
    }
    return {};
  }

  Target root_target(std::string_view key) {
    if (key == "fio version") return &output.version;
    if (key == "timestamp") return &output.timestamp_s;
    if (key == "timestamp_ms") return &output.timestamp_ms;
    if (key == "jobs" || key == "client_stats") return Place::jobs;
    if (key != "global options") return {};
    texts_ = &output.global_options;
    return Place::texts;
  }

  Target job_target(std::string_view key) {
    if (key == "jobname") return &job_->name;
    if (key == "hostname") return &job_->host;
    if (key == "groupid") return &job_->group;
    if (key == "error") return &job_->error;
    if (key == "total_err") return &job_->total_errors;
    if (key == "job_runtime") return &job_->job_runtime_ms;
    if (key == "usr_cpu") return &job_->user_cpu_percent;
    if (key == "sys_cpu") return &job_->system_cpu_percent;
    if (key == "job options") {
      texts_ = &job_->options;
      return Place::texts;
    }
    for (auto [name, direction] : {std::pair("read", &FioJob::read),
                                   {"write", &FioJob::write},
                                   {"trim", &FioJob::trim},
                                   {"mixed", &FioJob::mixed},
                                   {"sync", &FioJob::sync}}) {
      if (key != name) continue;
      direction_ = &(job_->*direction);
      return Place::direction;
    }
    return {};
  }

  Target direction_target(std::string_view key) {
    if (key == "total_ios") return &direction_->total_ios;
    if (key == "short_ios") return &direction_->short_ios;
    if (key == "drop_ios") return &direction_->dropped_ios;
    if (key == "io_bytes") return &direction_->io_bytes;
    if (key == "runtime") return &direction_->runtime_ms;
    if (key == "iops") return &direction_->iops;
    if (key == "bw_bytes") return &direction_->bytes_per_s;
    for (auto [name, latency] : {std::pair("slat_ns", &FioDirection::slat),
                                 {"clat_ns", &FioDirection::clat},
                                 {"lat_ns", &FioDirection::lat}}) {
      if (key != name) continue;
      latency_ = &(direction_->*latency);
      return Place::latency;
    }
    return {};
  }

  Target latency_target(std::string_view key) {
    if (key == "N") return &latency_->samples;
    if (key == "min") return &latency_->min_ns;
    if (key == "max") return &latency_->max_ns;
    if (key == "mean") return &latency_->mean_ns;
    if (key == "stddev") return &latency_->stddev_ns;
    if (key == "percentile") return Place::percentiles;
    if (key == "bins") return Place::bins;
    return {};
  }

  template <typename Number>
  Number number_from_key() const {
    const std::string& key = levels_.back().key;
    Number number{};
    auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), number);
    if (failure != std::errc{} || end != key.data() + key.size())
      throw usage_error("{}: \"{}\" is no number", path(levels_.size() - 1), key);
    return number;
  }

  // Where the value in the depth-th level stands: "/jobs/0/read".
  std::string path(size_t depth) const {
    std::string path = place_;
    for (size_t i = 0; i < depth; ++i)
      path += "/" +
              (levels_[i].place == Place::jobs ? std::to_string(levels_[i].index) : levels_[i].key);
    return path;
  }

  Error expected(std::string_view what, std::string_view found) const {
    return usage_error("{}: expected {}, found {}", path(levels_.size()), what, found);
  }

  std::string_view json_;
  std::string place_;
  std::string name_;
  int line_;
  std::vector<Level> levels_;  // the innermost last
  size_t ignored_ = 0;         // levels below the last one that nobody reads
  std::optional<std::vector<FioJob>>* jobs_ = nullptr;
  FioJob* job_ = nullptr;
  FioDirection* direction_ = nullptr;
  FioLatency* latency_ = nullptr;
  std::map<std::string, std::string>* texts_ = nullptr;
  std::vector<Histogram::Bin> bins_;
};

}  // namespace

FioOutput parse_fio(std::string_view text, const std::string& name) {
  FioDocuments found = split_fio_documents(text, name);
  if (found.documents.empty()) {
    std::string said = found.notes.empty() ? "it is empty" : "it says: " + found.notes.back();
    throw usage_error("{}:1: no JSON in fio's output; {}", name, said);
  }
  FioOutput output = parse_fio_document(found.documents.back(), name);
  output.documents = found.documents.size();
  output.notes = std::move(found.notes);
  return output;
}

FioOutput parse_fio_document(const FioDocuments::Document& document, const std::string& name) {
  std::string cleaned;
  std::string_view json = document.json;
  if (document.has_not_a_number) json = cleaned = without_not_a_number(document.json);
  OutputReader reader(json, fmt::format("{}:{}: ", name, document.line), name, document.line);
  Json::sax_parse(json.begin(), json.end(), &reader);

  FioOutput output = std::move(reader.output);
  output.line = static_cast<size_t>(document.line);
  if (output.version.empty() || !(reader.jobs || reader.client_stats))
    throw usage_error("{}:{}: this JSON is not fio's: \"fio version\" or \"jobs\" is missing", name,
                      document.line);
  if (reader.client_stats) {
    output.jobs = std::move(*reader.client_stats);
    std::erase_if(output.jobs, [](const FioJob& job) { return job.name == "All clients"; });
  } else {
    output.jobs = std::move(*reader.jobs);
  }
  return output;
}

}  // namespace lab::analysis
