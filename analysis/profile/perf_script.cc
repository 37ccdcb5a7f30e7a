#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/profile/parser.h"
#include "analysis/profile/perf_line.h"
#include "analysis/profile/tally.h"
#include "runner/base/text.h"

namespace lab::analysis::profile {
namespace {

constexpr std::string_view kRecord = "PERF_RECORD_";

// Names of threads, and in how many samples each was seen.
using Names = std::map<std::string, uint64_t, std::less<>>;

std::string most_frequent(const Names& names) {
  return std::max_element(names.begin(), names.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

class PerfScriptParser : public Parser {
 public:
  explicit PerfScriptParser(const std::string& focus) : tally_(focus) {}

  bool line(std::string_view line, uint64_t /*number*/) override {
    if (trim(line).empty()) {
      end_sample();
      return true;
    }
    if (line.starts_with('#')) return true;  // what `perf script --header` tells
    if (const std::optional<PerfHeader> header = parse_perf_header(line)) {
      end_sample();
      begin_sample(*header);
      return true;
    }
    if (!sample_) return false;
    const std::optional<std::string> frame = parse_perf_frame(line);
    if (frame) stack_.push_back(tally_.id(*frame));
    return frame.has_value();
  }

  Profile finish() override {
    end_sample();
    Profile profile;
    profile.unit = "samples";
    std::set<std::string> events;
    for (const auto& [key, of_key] : all_) events.insert(key.event);
    for (const auto& [key, of_key] : all_) {
      std::string name = key.pid.empty() ? key.comm : name_of(key.pid);
      if (events.size() > 1) name += ", " + key.event;
      Process process = tally_.process(of_key);
      process.processes = key.pid.empty() ? 0 : 1;
      profile.processes[name].add(process);
    }
    const auto thread_only = [](const auto& one) { return one.first.pid.empty(); };
    if (std::count_if(all_.begin(), all_.end(), thread_only) > 1)
      profile.notes.emplace_back(
          "without process ids every name of a thread stands for itself: `perf script -F +pid` "
          "tells which threads are one process");
    return profile;
  }

 private:
  // A process by its id, or, where none is told, by its thread's name.
  struct Key {
    std::string pid, comm, event;
    bool operator<(const Key& other) const {
      return std::tie(pid, comm, event) < std::tie(other.pid, other.comm, other.event);
    }
  };

  void begin_sample(const PerfHeader& header) {
    // No samples, but what perf tells of processes with --show-task-events and the like.
    if (header.event.starts_with(kRecord) || header.rest.starts_with(kRecord)) return;
    Key key{std::string(header.pid), header.pid.empty() ? std::string(header.comm) : "",
            std::string(header.event)};
    sample_ = &all_[std::move(key)];
    if (!header.pid.empty()) {
      Names& names = header.pid == header.tid ? main_names_[std::string(header.pid)]
                                              : thread_names_[std::string(header.pid)];
      ++names[std::string(header.comm)];
    }
    if (header.rest.empty()) return;
    if (const std::optional<std::string> frame = parse_perf_frame(header.rest))
      stack_.push_back(tally_.id(*frame));
  }

  void end_sample() {
    if (sample_) tally_.add(*sample_, stack_, 1);
    sample_ = nullptr;
    stack_.clear();
  }

  std::string name_of(const std::string& pid) const {
    const auto main = main_names_.find(pid);
    return most_frequent(main != main_names_.end() ? main->second : thread_names_.at(pid));
  }

  Tally tally_;
  std::map<Key, Tally::Counts> all_;
  std::map<std::string, Names> main_names_, thread_names_;  // by process id
  Tally::Counts* sample_ = nullptr;                         // whose sample is being read
  std::vector<uint32_t> stack_;
};

}  // namespace

bool is_perf_header(std::string_view line) { return parse_perf_header(line).has_value(); }

std::unique_ptr<Parser> perf_script_parser(const std::string& focus) {
  return std::make_unique<PerfScriptParser>(focus);
}

}  // namespace lab::analysis::profile
