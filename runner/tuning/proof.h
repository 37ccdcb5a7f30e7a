// Are a cell's settings in force? Asked of the running processes: what the monitors say, or a
// daemon's environment, is no proof.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "results/run_record.h"
#include "runner/ceph/cluster.h"
#include "runner/daemons/driver.h"
#include "runner/tuning/setting.h"

namespace lab {

// One proof for each option, variable or choice that changes the world, over all daemons that it
// is for: `effective` and `source` are of the first daemon that contradicts, with its name, or else
// of all. Those that can't be read back have no `verified`. `driver` may be null.
std::vector<results::SettingProof> prove_settings(const std::vector<Setting>& settings,
                                                  ceph::Cluster& cluster, daemons::Driver* driver);

// The same of the process that does the I/O, while it runs: allocator and environment of scope
// "client". Of a process that has ended nothing is verified.
std::vector<results::SettingProof> prove_client(const std::vector<Setting>& settings, pid_t pid);

}  // namespace lab
