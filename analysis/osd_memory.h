// How much memory OSDs needed at most, from samples.csv of a result directory.
#pragma once

#include <string>
#include <vector>

#include "runner/base/file.h"

namespace lab::analysis {

// Peaks of VmRSS in bytes, one for each OSD that was sampled, in the order of their names. An
// OSD is one sample: what its allocator keeps is decided once, at its start.
struct OsdMemory {
  std::vector<std::string> osds;    // that were sampled at all
  std::vector<double> normal;       // in all phases but those of a recovery
  std::vector<double> in_recovery;  // in phases whose name tells of one: "recovering", …
};

// Empty where nothing was sampled. Throws lab::Error (Exit::environment) if the file cannot be
// read.
OsdMemory load_osd_memory(const fs::path& directory);

}  // namespace lab::analysis
