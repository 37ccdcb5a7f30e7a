// What befalls the cluster in the runs of an experiment: nothing, a recovery, or hours of load.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "inventory/inventory.h"
#include "runner/experiment/request.h"
#include "runner/recovery/incident.h"
#include "runner/tuning/cluster_tuning.h"

namespace lab {

// Null: nothing. `tuning` is null where the client may not take hold of the cluster. Throws
// lab::Error: Exit::environment for what must not befall this cluster, Exit::usage for what it
// hasn't got.
std::unique_ptr<Incident> make_incident(const RunRequest& request, const Inventory& inventory,
                                        ClusterTuning* tuning,
                                        const std::function<void(const std::string&)>& say);

}  // namespace lab
