// One daemon goes first: a level as it is for one OSD alone. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/plan/matrix.h"

namespace lab::rollout {

// The settings of a level that are for all OSDs, or for those of a mask, for `osd` ("osd.2")
// alone; what is for others, or for the client, stays out of it. Empty: there are none.
std::vector<Setting> canary_settings(const std::vector<Setting>& settings, const std::string& osd);

// A matrix file of one level, "canary", with these settings, as lab run takes it.
std::string canary_matrix(const std::vector<Setting>& settings, const std::string& osd,
                          const std::string& level);

}  // namespace lab::rollout
