// How a job file is turned into the one that fio gets. Every change stands as a comment in
// the result, and no more is changed than the target needs.
#pragma once

#include <optional>

#include "runner/plan/job_file.h"
#include "runner/tuning/setting.h"

namespace lab {

// `runtime=` of every section, seconds.
void override_runtime(JobFile& job, double seconds);

// The same, and whatever else would end the job before or after it is taken out: it runs for that
// long, however much data there is.
void run_for(JobFile& job, double seconds);

// Caps size and filesize to `limit` bytes. Throws lab::Error (Exit::usage) if an offset leaves
// a section no room below the limit.
void scale_sizes(JobFile& job, uint64_t limit);

// Job overrides of a level, over whatever the sections say.
void apply_job_options(JobFile& job, const std::vector<Setting>& settings);

// Points the job at another device: drops what tells fio where to do I/O and how, and sets
// `options` instead, the first of which has to be `ioengine`.
void retarget(JobFile& job, std::string_view target, const std::vector<JobOption>& options);

// `2147483648` as fio reads it back exactly: 2g.
std::string fio_size(uint64_t bytes);

}  // namespace lab
