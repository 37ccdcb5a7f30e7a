#include "analysis/import_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "analysis/fio_text_line.h"
#include "analysis/fio_text_number.h"
#include "runner/base/text.h"

namespace lab::analysis {

namespace {

constexpr std::array<std::string_view, 4> ways = {"read", "write", "trim", "mixed"};
constexpr size_t mixed = 3;

size_t way_index(std::string_view way) {
  return static_cast<size_t>(std::find(ways.begin(), ways.end(), way) - ways.begin());
}

uint64_t to_bytes(double value) { return static_cast<uint64_t>(std::min(value, 1.8e19)); }

// A job while it is being read.
struct Draft {
  FioJob job;
  size_t line = 0;
  std::string pid;
  std::array<size_t, 4> result_line = {};  // per way; 0: it had none
  FioTextIssued issued;
  bool complete = false;  // the lines below the results were seen

  FioDirection& direction(size_t way) {
    return way == 0 ? job.read : way == 1 ? job.write : way == 2 ? job.trim : job.mixed;
  }
};

struct Group {
  std::array<double, 4> bytes = {};
  size_t line = 0;
};

// "fio-2.2.10"; "fio 1.59" before 2.0.
bool is_version(std::string_view line) {
  return (line.starts_with("fio-") || line.starts_with("fio ")) && line.size() > 4 &&
         line[4] >= '1' && line[4] <= '9' && line.find(' ', 4) == std::string_view::npos;
}

// Strips terminal control sequences: ESC [ … letter.
std::string without_escapes(std::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      out += line[i];
    } else if (i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      while (i < line.size() && (line[i] < '@' || line[i] > '~')) ++i;
    }
  }
  return out;
}

// What stands behind a progress line, which ends with a carriage return at best.
std::string_view without_progress(std::string_view line) {
  std::string_view trimmed = trim(line);
  if (!trimmed.starts_with("Jobs: ") || trimmed.find(" (f=") == std::string_view::npos)
    return trimmed;
  size_t eta = line.rfind("[eta ");
  size_t end = eta == std::string_view::npos ? eta : line.find(']', eta);
  return end == std::string_view::npos ? std::string_view() : trim(line.substr(end + 1));
}

class Reader {
 public:
  ImportedRuns take(std::string_view text);

 private:
  void read_line(std::string_view line);
  bool read_outside(std::string_view line);
  bool read_inside(std::string_view line);
  void begin_job(const FioTextHeading& heading);
  void read_result(const FioTextResult& result);
  bool read_latency(std::string_view line);
  bool read_footer(std::string_view line);
  FioLatency* latency_named(std::string_view kind);
  void finish_job(Draft& draft);
  void finish_direction(Draft& draft, size_t way);
  void check_groups();
  void next_run();
  void complain(size_t line, std::string text) { out_.problems.push_back({line, std::move(text)}); }

  ImportedRuns out_;
  FioOutput run_;
  std::vector<Draft> drafts_;  // of the run that is being read
  std::map<unsigned, Group> groups_;
  std::map<std::string, std::map<std::string, std::string>, std::less<>> options_;  // by section
  std::string host_;  // of the last line that an fio server sent
  size_t line_ = 0;
  bool client_ = false;                // fio client/server: groups are told host by host
  size_t job_ = 0;                     // 1 + index into drafts_; 0: outside of jobs
  std::optional<size_t> way_;          // whose latencies follow
  bool sync_ = false;                  // latencies of fsync follow
  FioLatency* percentiles_ = nullptr;  // whose percentiles follow
  double percentile_unit_ns_ = 1;
  Group* group_ = nullptr;  // whose totals follow
};

void Reader::begin_job(const FioTextHeading& heading) {
  way_.reset();
  sync_ = false;
  percentiles_ = nullptr;
  group_ = nullptr;
  job_ = 0;
  if (heading.name == "All clients") {
    client_ = true;
    return;  // a sum of what stands above
  }
  Draft draft;
  draft.line = line_;
  draft.pid = std::string(heading.pid);
  draft.job.name = std::string(heading.name);
  draft.job.host = host_;
  draft.job.group = heading.group;
  draft.job.error = heading.error;
  if (auto options = options_.find(draft.job.name); options != options_.end())
    draft.job.options = options->second;
  if (heading.jobs > 1) draft.job.options["numjobs"] = std::to_string(heading.jobs);

  auto same = std::find_if(drafts_.begin(), drafts_.end(), [&](const Draft& other) {
    return !draft.pid.empty() && other.pid == draft.pid && other.job.name == draft.job.name &&
           other.job.group == draft.job.group && other.job.host == draft.job.host;
  });
  if (same != drafts_.end() && groups_.count(heading.group) > 0) {
    // --status-interval: the newer figures contain the older ones.
    if (same == drafts_.begin()) ++run_.documents;
    job_ = static_cast<size_t>(same - drafts_.begin()) + 1;
    *same = std::move(draft);
    return;
  }
  // Totals end a run, so jobs behind them belong to another.
  if (!groups_.empty() && !client_) {
    std::string version = run_.version;
    next_run();
    run_.version = std::move(version);
  }
  drafts_.push_back(std::move(draft));
  job_ = drafts_.size();
}

void Reader::read_result(const FioTextResult& result) {
  size_t way = way_index(result.way);
  way_ = way;
  sync_ = false;
  percentiles_ = nullptr;
  if (!result.iops || !result.bytes_per_s || !result.bytes || !result.runtime_ms)
    complain(line_, fmt::format("not all figures of \"{}\" can be read", result.way));
  if (!result.iops) return;
  Draft& draft = drafts_[job_ - 1];
  draft.result_line[way] = line_;
  FioDirection& to = draft.direction(way);
  to.iops = *result.iops;
  to.bytes_per_s = result.bytes_per_s.value_or(0);
  to.io_bytes = to_bytes(result.bytes.value_or(0));
  to.runtime_ms = result.runtime_ms.value_or(0);
}

FioLatency* Reader::latency_named(std::string_view kind) {
  Draft& draft = drafts_[job_ - 1];
  if (sync_) return kind == "sync" ? &draft.job.sync.lat : nullptr;
  if (!way_) return nullptr;
  FioDirection& of = draft.direction(*way_);
  // Others are parts of these, e.g. "clat prio 2/0".
  return kind == "slat" ? &of.slat : kind == "clat" ? &of.clat : kind == "lat" ? &of.lat : nullptr;
}

bool Reader::read_latency(std::string_view line) {
  if (line == "fsync/fdatasync/sync_file_range:") {
    sync_ = true;
    percentiles_ = nullptr;
    return true;
  }
  if (std::optional<FioTextPercentiles> title = parse_fio_percentiles_title(line)) {
    percentiles_ = latency_named(title->kind);
    percentile_unit_ns_ = title->unit_ns.value_or(0);
    if (!title->unit_ns) {
      complain(line_, fmt::format("unknown unit of time in \"{}\"", line));
      percentiles_ = nullptr;
    }
    return true;
  }
  if (line.starts_with('|')) {
    if (percentiles_ == nullptr) return true;
    FioTextPercentileLine part = parse_fio_percentiles(line);
    for (const auto& [percent, value] : part.values)
      percentiles_->percentiles_ns[percent] = to_bytes(value * percentile_unit_ns_);
    if (part.damaged) complain(line_, "a percentile can't be read: cut off or overwritten");
    return true;
  }
  std::optional<FioTextLatency> latency = parse_fio_latency(line);
  FioLatency* to = latency ? latency_named(latency->kind) : nullptr;
  if (to == nullptr) return latency.has_value();
  if (!latency->readable)
    complain(line_, fmt::format("the latencies of \"{}\" can't be read", latency->kind));
  to->min_ns = latency->min_ns;
  to->max_ns = latency->max_ns;
  to->mean_ns = latency->mean_ns;
  to->stddev_ns = latency->stddev_ns;
  return true;
}

bool Reader::read_footer(std::string_view line) {
  Draft& draft = drafts_[job_ - 1];
  auto number = [&](std::string_view key, std::string_view ends) {
    return parse_fio_count(fio_value(line, key, ends).value_or("")).value_or(0);
  };
  if (line.starts_with("cpu ")) {
    draft.complete = true;
    draft.job.user_cpu_percent = number("usr=", "%,");
    draft.job.system_cpu_percent = number("sys=", "%,");
  } else if (std::optional<FioTextIssued> issued = parse_fio_issued(line)) {
    draft.issued = std::move(*issued);
  } else if (line.starts_with("errors ")) {
    draft.job.total_errors = to_bytes(number("total=", ","));
    if (draft.job.error == 0)
      draft.job.error = static_cast<int>(std::min(number("first_error=", "/,"), 4096.0));
  } else {
    return false;
  }
  return true;
}

bool Reader::read_inside(std::string_view line) {
  if (job_ == 0) return false;
  if (std::optional<FioTextResult> result = parse_fio_result(line)) {
    read_result(*result);
    return true;
  }
  return read_latency(line) || read_footer(line);
}

bool Reader::read_outside(std::string_view line) {
  constexpr std::string_view group_title = "Run status group ";
  if (is_version(line)) {
    next_run();
    run_.version = "fio-" + std::string(line.substr(4));
  } else if (line.starts_with("fio: ")) {
    run_.notes.emplace_back(line);
  } else if (line.starts_with(group_title)) {
    std::vector<uint64_t> number = parse_fio_list(line.substr(group_title.size()));
    group_ = &groups_[number.empty() ? 0 : static_cast<unsigned>(number[0])];
    group_->line = line_;
    job_ = 0;
  } else if (std::optional<FioTextStart> start = parse_fio_start(line)) {
    options_[std::string(start->name)] = std::move(start->options);
  } else if (group_ != nullptr) {
    std::optional<FioTextGroupTotal> total = parse_fio_group_total(line);
    if (total) group_->bytes[way_index(total->way)] = total->bytes;
    return total.has_value();
  } else {
    return false;
  }
  return true;
}

void Reader::read_line(std::string_view line) {
  // "<host> " before each line that an fio server sent.
  if (line.starts_with('<')) {
    size_t end = line.find('>');
    std::string_view host = end == std::string_view::npos ? "" : line.substr(1, end - 1);
    if (!host.empty() && host.find_first_of(" <") == std::string_view::npos) {
      host_ = std::string(host);
      client_ = true;
      line = trim(line.substr(end + 1));
    }
  }
  if (std::optional<FioTextHeading> heading = parse_fio_heading(line))
    begin_job(*heading);
  else if (!read_inside(line))
    read_outside(line);
}

void Reader::finish_direction(Draft& draft, size_t way) {
  FioDirection& result = draft.direction(way);
  auto of = [&](const std::vector<uint64_t>& list) {
    size_t from = way == mixed ? 0 : way;  // unified reporting counts all as reads
    return from < list.size() ? list[from] : 0;
  };
  result.total_ios = of(draft.issued.total);
  // The counts are below what a cut file still has; a mark says that it is cut.
  if (draft.issued.total.empty())
    result.total_ios =
        to_bytes(std::round(result.iops * static_cast<double>(result.runtime_ms) / 1000));
  result.short_ios = of(draft.issued.shorted);
  result.dropped_ios = of(draft.issued.dropped);
  for (FioLatency* latency : {&result.slat, &result.clat, &result.lat})
    latency->samples = latency->mean_ns > 0 ? result.total_ios : 0;
  draft.job.job_runtime_ms = std::max(draft.job.job_runtime_ms, result.runtime_ms);
  if (result.total_ios == 0 || result.runtime_ms == 0) return;
  double exact =
      1000.0 * static_cast<double>(result.total_ios) / static_cast<double>(result.runtime_ms);
  // fio prints 3 digits at least, and cuts off what is below 1.
  if (std::abs(exact - result.iops) <= std::max(1.0, 0.006 * exact))
    result.iops = exact;
  else
    complain(draft.result_line[way],
             fmt::format("job {}: {:.0f} IOPS stand here, but {} I/Os in {} ms make {:.0f}; taken "
                         "as printed, though one of the figures must be damaged",
                         draft.job.name, result.iops, result.total_ios, result.runtime_ms, exact));
}

void Reader::finish_job(Draft& draft) {
  FioJob& job = draft.job;
  // With unified_rw_reporting=both the mixed line is the sum of the others, or zero.
  bool separate = draft.result_line[0] != 0 || draft.result_line[1] != 0;
  if (separate) {
    job.mixed = FioDirection();
    draft.result_line[mixed] = 0;
  }
  bool any = false;
  for (size_t way = 0; way < ways.size(); ++way) {
    if (draft.result_line[way] == 0) continue;
    any = true;
    finish_direction(draft, way);
  }
  if (draft.issued.total.size() > 3) {
    job.sync.total_ios = draft.issued.total[3];
    job.sync.lat.samples = job.sync.lat.mean_ns > 0 ? draft.issued.total[3] : 0;
  }
  if (!any && job.error != 0)
    complain(draft.line,
             fmt::format("job {} failed with error {} and has no figures", job.name, job.error));
  else if (!any)
    complain(draft.line,
             fmt::format("job {} has no figures: it did no I/O, or they are cut off", job.name));
  else if (!draft.complete)
    complain(draft.line, fmt::format("the results of job {} are cut off", job.name));
}

// A group's total says whether a job of it was lost on the way.
void Reader::check_groups() {
  if (client_) return;
  for (const auto& [number, group] : groups_)
    for (size_t way = 0; way < ways.size(); ++way) {
      double sum = 0;
      bool mixed_too = false;
      for (Draft& draft : drafts_)
        if (draft.job.group == number) {
          sum += static_cast<double>(draft.direction(way).io_bytes);
          mixed_too |= way == mixed && draft.result_line[mixed] == 0;
        }
      // Both are rounded to 3 digits at least.
      if (mixed_too || std::abs(sum - group.bytes[way]) <= 0.02 * group.bytes[way]) continue;
      complain(group.line, fmt::format("group {} did {} of {} in all, but the jobs above make {}: "
                                       "some of them could not be read",
                                       number, format_bytes(to_bytes(group.bytes[way])), ways[way],
                                       format_bytes(to_bytes(sum))));
    }
}

void Reader::next_run() {
  for (Draft& draft : drafts_) finish_job(draft);
  if (!drafts_.empty()) {
    check_groups();
    run_.line = drafts_[0].line;
  }
  for (Draft& draft : drafts_) run_.jobs.push_back(std::move(draft.job));
  if (!run_.jobs.empty()) {
    out_.runs.push_back(std::move(run_));
    run_ = FioOutput();
  }
  drafts_.clear();
  groups_.clear();
  job_ = 0;
  percentiles_ = nullptr;
  group_ = nullptr;
}

ImportedRuns Reader::take(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte order mark
  while (!text.empty()) {
    size_t end = text.find('\n');
    ++line_;
    // Progress overwrites itself by carriage returns.
    for (const std::string& part : split(without_escapes(text.substr(0, end)), '\r')) {
      std::string_view useful = without_progress(part);
      if (!useful.empty()) read_line(useful);
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  size_t totals_line = groups_.empty() ? 0 : groups_.begin()->second.line;
  next_run();
  if (out_.runs.empty())
    complain(totals_line, totals_line > 0
                              ? "only totals of groups are here, which tell no IOPS: the jobs "
                                "above them are missing"
                              : "no results in fio's normal output format");
  std::stable_sort(out_.problems.begin(), out_.problems.end(),
                   [](const ImportProblem& a, const ImportProblem& b) { return a.line < b.line; });
  return std::move(out_);
}

}  // namespace

bool is_fio_text(std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.starts_with("Run status group ") || parse_fio_heading(line)) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

ImportedRuns import_fio_text(std::string_view text) { return Reader().take(text); }

}  // namespace lab::analysis
