#include "runner/plan/rewrite.h"

#include <algorithm>
#include <cmath>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/plan/shape.h"

namespace lab {

std::string fio_size(uint64_t bytes) {
  const char* units[] = {"", "k", "m", "g", "t"};
  size_t unit = 0;
  while (unit < 4 && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + units[unit];
}

void override_runtime(JobFile& job, double seconds) {
  job.drop({"runtime"});
  // fio reads whole numbers only: of 2.592e+06 the 2, and of 0.5 none, which is no runtime at all.
  const auto ms = std::max(1LL, std::llround(seconds * 1000));
  job.add_global("--runtime", {{"runtime", ms % 1000 == 0 ? fmt::format("{}", ms / 1000)
                                                          : fmt::format("{}ms", ms)}});
}

void run_for(JobFile& job, double seconds) {
  override_runtime(job, seconds);
  job.drop({"time_based", "number_ios", "io_size", "loops", "ramp_time"});
  job.add_global("for as long as its load is wanted", {{"time_based", "1"}});
}

void scale_sizes(JobFile& job, uint64_t limit) {
  auto cap = [&](const std::string& value) -> std::optional<std::string> {
    // A range of file sizes is bounded by its upper end.
    std::string upper =
        value.substr(value.rfind('-') == std::string::npos ? 0 : value.rfind('-') + 1);
    auto bytes = parse_bytes(upper);
    if (!bytes || *bytes <= limit) return {};
    return fio_size(limit);
  };
  job.change("size", cap);
  job.change("filesize", cap);
  if (auto span = span_bytes(job); span && *span > limit)
    throw usage_error(
        "{}: offset and size reach to {}, but there are {} only (size_limit of the inventory, or "
        "the device); lower the offsets",
        job.name(), format_bytes(*span), format_bytes(limit));
}

void apply_job_options(JobFile& job, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    const auto* overrides = std::get_if<JobOptions>(&setting);
    if (!overrides) continue;
    std::vector<JobOption> options;
    std::vector<std::string> keys;
    for (const auto& [key, value] : overrides->options) {
      keys.push_back(key);
      options.push_back({key, value});
    }
    job.drop(keys);
    job.add_global("level of the matrix", options);
  }
}

void retarget(JobFile& job, std::string_view target, const std::vector<JobOption>& options) {
  std::vector<std::string> keys = {"filename",  "filename_format", "directory", "nrfiles",
                                   "openfiles", "fallocate",       "unlink",    "create_on_open"};
  for (const JobOption& option : options) keys.push_back(option.key);
  job.drop(keys);
  job.add_global(fmt::format("target {}", target), options);
}

}  // namespace lab
