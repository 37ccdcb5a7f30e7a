// A level's fio options held against what fio says that it used.
#pragma once

#include <string>
#include <vector>

#include "results/run_record.h"
#include "runner/tuning/setting.h"

namespace lab {

// One proof for each option, from fio's json ("job options" of every job, over "global
// options"). Pure.
std::vector<results::SettingProof> prove_job_options(const std::vector<Setting>& settings,
                                                     const std::string& json);

}  // namespace lab
