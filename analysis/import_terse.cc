#include "analysis/import_terse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/base/text.h"

namespace lab::analysis {

namespace {

using Fields = std::vector<std::string>;

constexpr size_t percentile_slots = 20;
// bytes, bandwidth, IOPS, runtime; slat and clat; percentiles; lat; bandwidth's own
// statistics. Version 5 adds the number of bandwidth samples and statistics of IOPS.
constexpr size_t direction_fields = 4 + 4 + 4 + percentile_slots + 4 + 5;
constexpr size_t more_in_version_5 = 6;

std::optional<double> number(std::string_view text) {
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

std::optional<double> percent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  return number(text);
}

uint64_t whole(double value) { return static_cast<uint64_t>(std::min(value, 1.8e19)); }

// A progress line may stand before the results, up to its carriage return.
std::string_view without_progress(std::string_view line) {
  line = trim(line);
  size_t back = line.rfind('\r');
  return back == std::string_view::npos ? line : trim(line.substr(back + 1));
}

// "3;…", with a version that there is.
std::optional<int> terse_version(std::string_view line) {
  if (line.size() < 2 || line[1] != ';' || line[0] < '2' || line[0] > '5') return std::nullopt;
  return line[0] - '0';
}

// min, max, mean, deviation in µs.
bool read_latency(const Fields& fields, size_t at, FioLatency& latency) {
  std::array<double, 4> us{};
  for (size_t i = 0; i < us.size(); ++i) {
    std::optional<double> value = number(fields[at + i]);
    if (!value) return false;
    us[i] = *value;
  }
  latency.min_ns = whole(us[0] * 1000);
  latency.max_ns = whole(us[1] * 1000);
  latency.mean_ns = us[2] * 1000;
  latency.stddev_ns = us[3] * 1000;
  return true;
}

// "99.000000%=4113"; "0%=0" is an empty slot.
bool read_percentile(const std::string& field, FioLatency& latency) {
  size_t equals = field.find("%=");
  if (equals == std::string::npos) return false;
  std::optional<double> at = number(std::string_view(field).substr(0, equals));
  std::optional<double> us = number(std::string_view(field).substr(equals + 2));
  if (!at || !us || *at > 100) return false;
  if (*at > 0) latency.percentiles_ns[*at] = whole(*us * 1000);
  return true;
}

// The first field that isn't what it should be, or none.
std::optional<size_t> read_direction(const Fields& fields, size_t at, FioDirection& to) {
  std::array<double, 4> head{};
  for (size_t i = 0; i < head.size(); ++i) {
    std::optional<double> value = number(fields[at + i]);
    if (!value) return at + i;
    head[i] = *value;
  }
  to.io_bytes = whole(head[0] * 1024);
  to.bytes_per_s = head[1] * 1024;
  to.iops = head[2];
  to.runtime_ms = whole(head[3]);
  to.total_ios = whole(std::round(to.iops * head[3] / 1000));
  if (!read_latency(fields, at + 4, to.slat)) return at + 4;
  if (!read_latency(fields, at + 8, to.clat)) return at + 8;
  for (size_t i = 0; i < percentile_slots; ++i)
    if (!read_percentile(fields[at + 12 + i], to.clat)) return at + 12 + i;
  if (!read_latency(fields, at + 12 + percentile_slots, to.lat)) return at + 12 + percentile_slots;
  for (FioLatency* latency : {&to.slat, &to.clat, &to.lat})
    latency->samples = latency->mean_ns > 0 ? to.total_ios : 0;
  if (to.runtime_ms == 0) to = FioDirection();  // percentiles of nothing, all zero
  return std::nullopt;
}

// Whether the processor's fields begin here: two percentages, three counts, and then the
// seven percentages of I/O depths.
bool is_cpu(const Fields& fields, size_t at) {
  if (fields.size() < at + 12 || !percent(fields[at]) || !percent(fields[at + 1])) return false;
  for (size_t i = 2; i < 5; ++i)
    if (!number(fields[at + i])) return false;
  for (size_t i = 5; i < 12; ++i)
    if (!percent(fields[at + i])) return false;
  return true;
}

bool same_job(const FioJob& a, const FioJob& b) { return a.name == b.name && a.group == b.group; }

bool has_done_more(const FioDirection& earlier, const FioDirection& later) {
  constexpr uint64_t shortest_interval_ms = 500;
  return later.io_bytes > earlier.io_bytes &&
         later.runtime_ms >= earlier.runtime_ms + shortest_interval_ms;
}

// Whether the two may be of one fio with --status-interval. Terse lines have no time of day.
bool may_continue(const FioOutput& earlier, const FioOutput& later) {
  bool more = false;
  auto grown = [&](const FioJob& a, const FioJob& b) {
    more |= has_done_more(a.read, b.read) || has_done_more(a.write, b.write);
    return same_job(a, b) && b.read.io_bytes >= a.read.io_bytes &&
           b.write.io_bytes >= a.write.io_bytes;
  };
  return std::equal(earlier.jobs.begin(), earlier.jobs.end(), later.jobs.begin(), later.jobs.end(),
                    grown) &&
         more;
}

class Reader {
 public:
  ImportedRuns take(std::string_view text);

 private:
  using Writer = std::pair<int, std::string>;  // versions of the format and of fio

  void read_line(std::string_view line, int version);
  bool begins_run(const FioJob& job, std::string_view line, const Writer& writer) const;
  void take_job(FioJob job, std::string_view line, const Writer& writer);
  void next_run();
  void complain(std::string text) { out_.problems.push_back({line_, std::move(text)}); }

  ImportedRuns out_;
  FioOutput run_;
  Writer writer_;
  std::vector<std::string> lines_;  // of the run's jobs
  bool ambiguous_ = false;          // whether that was said of the run
  size_t line_ = 0;
};

void Reader::read_line(std::string_view line, int version) {
  Fields fields = split(line, ';');
  // version [fio's version] name group error; a name may contain semicolons.
  size_t name_at = version == 2 ? 1 : 2;
  size_t each = direction_fields + (version == 5 ? more_in_version_5 : 0);
  // Where the directions begin, and how many there are: trims came to version 2 later, and
  // unified_rw_reporting leaves one or adds one.
  size_t begin = name_at + 3;
  size_t directions = 0;
  for (size_t extra = 0; directions == 0 && extra < 8; ++extra)
    for (size_t n = 1; n <= 4; ++n)
      if (is_cpu(fields, name_at + 3 + extra + n * each)) {
        begin = name_at + 3 + extra;
        directions = n;
        break;
      }
  bool complete = directions > 0;
  if (!complete)
    directions = fields.size() > begin ? std::min<size_t>((fields.size() - begin) / each, 3) : 0;
  if (fields.size() < begin + each) {
    complain(
        fmt::format("a line of terse version {} has {} fields: it is cut off before the first "
                    "results, which take {}",
                    version, fields.size(), begin + each));
    return;
  }

  FioJob job;
  job.name = join(Fields(fields.begin() + static_cast<std::ptrdiff_t>(name_at),
                         fields.begin() + static_cast<std::ptrdiff_t>(begin) - 2),
                  ";");
  std::optional<double> group = number(fields[begin - 2]);
  std::optional<double> error = number(fields[begin - 1]);
  if (!group || !error)
    complain(fmt::format("\"{}\" and \"{}\" are no group and error number", fields[begin - 2],
                         fields[begin - 1]));
  job.group = static_cast<unsigned>(std::min(group.value_or(0), 1e9));
  job.error = static_cast<int>(std::min(error.value_or(0), 1e9));

  // One direction is the unified one, four are the three and their sum, and three in
  // version 3, which has no trims, are two and their sum.
  FioDirection* const to[4] = {directions == 1 && complete ? &job.mixed : &job.read, &job.write,
                               &job.trim, &job.mixed};
  bool sum_last = version == 3 ? directions == 3 : directions == 4;
  for (size_t i = 0; i < directions; ++i) {
    if (sum_last && i + 1 == directions) break;  // would be counted twice
    FioDirection direction;
    if (std::optional<size_t> bad = read_direction(fields, begin + i * each, direction)) {
      complain(fmt::format(
          "job {}: field {} is \"{}\", which is no figure; what comes behind it is left out",
          job.name, *bad + 1, fields[*bad]));
      break;
    }
    job.job_runtime_ms = std::max(job.job_runtime_ms, direction.runtime_ms);
    *to[i] = std::move(direction);
  }
  if (complete) {
    size_t cpu = begin + directions * each;
    job.user_cpu_percent = percent(fields[cpu]).value_or(0);
    job.system_cpu_percent = percent(fields[cpu + 1]).value_or(0);
  } else {
    complain(fmt::format("the line of job {} is cut off after {} fields", job.name, fields.size()));
  }

  take_job(std::move(job), line, {version, version > 2 ? fields[1] : ""});
}

bool Reader::begins_run(const FioJob& job, std::string_view line, const Writer& writer) const {
  if (run_.jobs.empty()) return false;
  if (writer != writer_ || std::find(lines_.begin(), lines_.end(), line) != lines_.end())
    return true;
  if (same_job(run_.jobs.back(), job)) return false;
  return std::any_of(run_.jobs.begin(), run_.jobs.end(), [&](const FioJob& other) {
    return other.group > job.group || same_job(other, job);
  });
}

void Reader::take_job(FioJob job, std::string_view line, const Writer& writer) {
  if (begins_run(job, line, writer)) next_run();
  writer_ = writer;
  run_.version = writer.second;
  if (run_.jobs.empty()) run_.line = line_;
  if (!run_.jobs.empty() && same_job(run_.jobs.back(), job) && !ambiguous_) {
    ambiguous_ = true;
    complain(fmt::format(
        "job {} of group {} again: counted as one of several that ran at the same time "
        "(numjobs); if another output of fio begins here, the sum is too high: put it into a "
        "file of its own",
        job.name, job.group));
  }
  run_.jobs.push_back(std::move(job));
  lines_.emplace_back(line);
}

void Reader::next_run() {
  if (run_.jobs.empty()) return;
  if (!out_.runs.empty() && may_continue(out_.runs.back(), run_))
    out_.problems.push_back(
        {run_.line, fmt::format("the same jobs as in line {} with more I/O: counted as a "
                                "repetition; if they are of one run with --status-interval, only "
                                "the last holds: remove the lines before it",
                                out_.runs.back().line)});
  out_.runs.push_back(std::move(run_));
  run_ = FioOutput();
  lines_.clear();
  ambiguous_ = false;
}

ImportedRuns Reader::take(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte order mark
  while (!text.empty()) {
    size_t end = text.find('\n');
    ++line_;
    std::string_view line = without_progress(text.substr(0, end));
    if (std::optional<int> version = terse_version(line)) read_line(line, *version);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  next_run();
  if (out_.runs.empty() && out_.problems.empty())
    out_.problems.push_back({0, "no results in fio's terse format"});
  std::stable_sort(out_.problems.begin(), out_.problems.end(),
                   [](const ImportProblem& a, const ImportProblem& b) { return a.line < b.line; });
  return std::move(out_);
}

}  // namespace

bool is_fio_terse(std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = without_progress(text.substr(0, end));
    if (terse_version(line) && std::count(line.begin(), line.end(), ';') > 20) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

ImportedRuns import_fio_terse(std::string_view text) { return Reader().take(text); }

}  // namespace lab::analysis
