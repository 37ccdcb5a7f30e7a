#include "analysis/osd_memory.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "results/samples.h"

namespace lab::analysis {
namespace {

using Peaks = std::map<std::string, uint64_t, std::less<>>;

void raise(Peaks& peaks, std::string_view daemon, uint64_t bytes) {
  auto found = peaks.find(daemon);
  if (found == peaks.end()) found = peaks.emplace(daemon, 0).first;
  found->second = std::max(found->second, bytes);
}

std::vector<double> values(const Peaks& peaks) {
  std::vector<double> out;
  out.reserve(peaks.size());
  for (const auto& [unused, bytes] : peaks) out.push_back(static_cast<double>(bytes));
  return out;
}

}  // namespace

OsdMemory load_osd_memory(const fs::path& directory) {
  results::Samples samples(directory);
  results::Sample sample;
  std::set<std::string, std::less<>> osds;
  Peaks normal;
  Peaks in_recovery;
  while (samples.next(sample)) {
    if (sample.metric != "rss" || !sample.daemon.starts_with("osd.")) continue;
    if (osds.find(sample.daemon) == osds.end()) osds.emplace(sample.daemon);
    const bool recovering = sample.phase.find("recover") != std::string_view::npos;
    raise(recovering ? in_recovery : normal, sample.daemon, sample.value);
  }
  return {{osds.begin(), osds.end()}, values(normal), values(in_recovery)};
}

}  // namespace lab::analysis
