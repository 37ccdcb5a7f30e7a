// What an OSD's process is and holds at the end of a run.
#pragma once

#include <sys/types.h>

#include <optional>

#include "results/run_record.h"
#include "runner/hosts/package.h"

namespace lab::witness {

// None if it has ended, or is not ours to look at.
std::optional<results::OsdProcess> look_at_process(int osd, pid_t pid, hosts::Packages& packages);

}  // namespace lab::witness
