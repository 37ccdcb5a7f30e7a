#include "analysis/fio_text_line.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "analysis/fio_text_number.h"
#include "runner/base/text.h"

namespace lab::analysis {

namespace {

constexpr double most_ns = 1.8e19;  // what fits into 64 bits

std::optional<uint64_t> whole_number(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  std::string_view digits = trim(*text);
  uint64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end == digits.data()) return std::nullopt;
  return value;
}

std::optional<double> count(std::optional<std::string_view> text) {
  return text ? parse_fio_count(*text) : std::nullopt;
}

std::optional<double> bytes(std::optional<std::string_view> text, bool old_units) {
  return text ? parse_fio_bytes(*text, old_units) : std::nullopt;
}

bool is_way(std::string_view label) {
  return label == "read" || label == "write" || label == "trim" || label == "mixed";
}

// "4096B-4096B" is one size, "4K-64K" a range.
std::string block_size(std::string_view range) {
  size_t dash = range.find('-');
  if (dash != std::string_view::npos && range.substr(0, dash) == range.substr(dash + 1))
    range = range.substr(0, dash);
  return std::string(range);
}

}  // namespace

std::optional<FioTextStart> parse_fio_start(std::string_view line) {
  size_t at = line.find(": (g=");
  if (at == std::string_view::npos) return std::nullopt;
  FioTextStart start;
  start.name = trim(line.substr(0, at));
  std::string_view rest = line.substr(at + 5);
  for (std::string_view key : {"rw", "ioengine", "iodepth"})
    if (std::optional<std::string_view> value = fio_value(rest, std::string(key) + "="))
      start.options[std::string(key)] = std::string(*value);
  // "4K-4K/4K-4K/4K-4K" or "(R) 4096B-4096B, (W) 4096B-4096B, …": that of reads.
  if (std::optional<std::string_view> sizes = fio_value(rest, "bs=", ",/")) {
    std::string_view first = *sizes;
    if (first.starts_with("(R)")) first = trim(first.substr(3));
    start.options["bs"] = block_size(first);
  }
  return start;
}

std::optional<FioTextHeading> parse_fio_heading(std::string_view line) {
  // A name may contain anything, so the last one counts.
  size_t at = line.rfind(": (groupid=");
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + 3);
  std::optional<uint64_t> group = whole_number(fio_value(rest, "groupid="));
  std::optional<uint64_t> jobs = whole_number(fio_value(rest, "jobs=", ")"));
  std::optional<uint64_t> error = whole_number(fio_value(rest, "err=", ":("));
  if (!group || !jobs || !error) return std::nullopt;
  FioTextHeading heading;
  heading.name = trim(line.substr(0, at));
  heading.group = static_cast<unsigned>(*group);
  heading.jobs = static_cast<unsigned>(*jobs);
  heading.error = static_cast<int>(*error);
  heading.pid = fio_value(rest, "pid=", ": ").value_or("");
  return heading;
}

std::optional<FioTextResult> parse_fio_result(std::string_view line) {
  size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  FioTextResult result;
  result.way = trim(line.substr(0, colon));
  std::string_view rest = trim(line.substr(colon + 1));
  if (!is_way(result.way)) return std::nullopt;
  if (rest.starts_with("io=")) {
    result.iops = count(fio_value(rest, "iops="));
    result.bytes_per_s = bytes(fio_value(rest, "bw="), true);
    result.bytes = bytes(fio_value(rest, "io="), true);
    result.runtime_ms = whole_number(fio_value(rest, "runt="));
    return result;
  }
  if (!rest.starts_with("IOPS=")) return std::nullopt;
  result.iops = count(fio_value(rest, "IOPS="));
  result.bytes_per_s = bytes(fio_value(rest, "BW=", " (,"), false);
  // The last parenthesis, but for what zoned devices and caches append behind a ';'.
  std::string_view figures = rest.substr(0, rest.find(';'));
  size_t open = figures.rfind('(');
  size_t slash = open == std::string_view::npos ? open : figures.find('/', open);
  if (slash != std::string_view::npos) {
    result.bytes = bytes(figures.substr(open + 1, slash - open - 1), false);
    result.runtime_ms = whole_number(figures.substr(slash + 1));
  }
  return result;
}

std::optional<FioTextLatency> parse_fio_latency(std::string_view line) {
  size_t open = line.find(" (");
  size_t close = line.find("):");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::nullopt;
  std::string_view figures = line.substr(close + 2);
  // "lat (usec)   : 20=1.09%, …" is a distribution.
  if (figures.find("min=") == std::string_view::npos) return std::nullopt;
  FioTextLatency latency;
  latency.kind = trim(line.substr(0, open));
  std::optional<double> unit = parse_fio_time_unit(line.substr(open + 2, close - open - 2));
  std::optional<double> least = count(fio_value(figures, "min="));
  std::optional<double> most = count(fio_value(figures, "max="));
  std::optional<double> mean = count(fio_value(figures, "avg="));
  std::optional<double> deviation = count(fio_value(figures, "stdev="));
  latency.readable = unit && least && most && mean && deviation;
  if (!latency.readable) return latency;
  latency.min_ns = static_cast<uint64_t>(std::min(*least * *unit, most_ns));
  latency.max_ns = static_cast<uint64_t>(std::min(*most * *unit, most_ns));
  latency.mean_ns = *mean * *unit;
  latency.stddev_ns = *deviation * *unit;
  return latency;
}

std::optional<FioTextPercentiles> parse_fio_percentiles_title(std::string_view line) {
  constexpr std::string_view word = "percentiles ";
  size_t at = line.find(word);
  if (at == std::string_view::npos || !line.ends_with("):")) return std::nullopt;
  std::string_view unit = line.substr(at + word.size());
  unit.remove_suffix(1);
  return FioTextPercentiles{trim(line.substr(0, at)), parse_fio_time_unit(unit)};
}

FioTextPercentileLine parse_fio_percentiles(std::string_view line) {
  FioTextPercentileLine out;
  if (line.starts_with('|')) line.remove_prefix(1);
  while (!trim(line).empty()) {
    constexpr std::string_view middle = "th=[";
    size_t th = line.find(middle);
    size_t end = th == std::string_view::npos ? th : line.find(']', th);
    if (end == std::string_view::npos) {
      out.damaged = true;
      break;
    }
    std::optional<double> percent = parse_fio_count(line.substr(0, th));
    th += middle.size();
    std::optional<double> value = parse_fio_count(line.substr(th, end - th));
    if (percent && value && *percent <= 100)
      out.values.emplace_back(*percent, *value);
    else
      out.damaged = true;
    line.remove_prefix(end + 1);
    if (line.starts_with(',')) line.remove_prefix(1);
  }
  return out;
}

std::optional<FioTextIssued> parse_fio_issued(std::string_view line) {
  if (!line.starts_with("issued")) return std::nullopt;
  auto list = [&](std::string_view key) {
    size_t at = line.find(key);
    return at == std::string_view::npos ? std::vector<uint64_t>()
                                        : parse_fio_list(line.substr(at + key.size()));
  };
  FioTextIssued issued{list("total="), list("short="), list("dropped=")};
  if (issued.dropped.empty()) issued.dropped = list("drop=");
  return issued;
}

std::optional<FioTextGroupTotal> parse_fio_group_total(std::string_view line) {
  size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  FioTextGroupTotal total;
  for (char c : line.substr(0, colon))
    total.way += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  bool old_units = line.find("aggrb=") != std::string_view::npos;
  std::optional<double> sum = bytes(fio_value(line, "io=", ", "), old_units);
  if (!is_way(total.way) || !sum) return std::nullopt;
  total.bytes = *sum;
  return total;
}

}  // namespace lab::analysis
