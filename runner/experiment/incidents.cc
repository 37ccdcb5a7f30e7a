#include "runner/experiment/incidents.h"

#include "runner/base/error.h"
#include "runner/ceph/conditions.h"
#include "runner/recovery/recovery_incident.h"
#include "runner/sampling/processes.h"
#include "runner/soak/segment.h"

namespace lab {
namespace {

// The OSDs of this host that may be looked into.
std::vector<sampling::Subject> local_osds(ceph::Cluster& cluster) {
  std::vector<sampling::Subject> subjects;
  for (const ceph::Osd& osd : ceph::read_osds(cluster)) {
    if (!osd.process) continue;
    sampling::Subject subject;
    subject.name = fmt::format("osd.{}", osd.id);
    subject.find = [&cluster, id = osd.id]() -> std::optional<ProcessId> {
      for (const ceph::Osd& now : ceph::read_osds(cluster))
        if (now.id == id) return now.process;
      return {};
    };
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

// All daemons that lab can start anew, or else the OSDs of this host; and what the inventory names.
std::vector<sampling::Subject> sampled(const Inventory& inventory, ClusterTuning& tuning) {
  std::vector<sampling::Subject> subjects =
      tuning.driver() ? sampling::subjects_of(*tuning.driver()) : local_osds(tuning.cluster());
  for (sampling::Subject& named : sampling::subjects_of(inventory.processes))
    subjects.push_back(std::move(named));
  return subjects;
}

}  // namespace

std::unique_ptr<Incident> make_incident(const RunRequest& request, const Inventory& inventory,
                                        ClusterTuning* tuning,
                                        const std::function<void(const std::string&)>& say) {
  if (!request.recovery && !request.soak) return nullptr;
  if (!tuning)
    throw environment_error(
        "the client of the inventory may not lock and change the cluster, which recoveries and "
        "soaks take: name one in it with the caps of client.admin (\"client\", \"keyring\")");
  std::vector<sampling::Subject> subjects = sampled(inventory, *tuning);
  if (request.soak) return std::make_unique<soak::Segment>(*request.soak, std::move(subjects));
  return std::make_unique<recovery::RecoveryIncident>(*request.recovery, *tuning,
                                                      std::move(subjects), say);
}

}  // namespace lab
