#include "runner/tuning/cluster_tuning.h"

#include "runner/base/error.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/ceph/background.h"
#include "runner/ceph/health.h"
#include "runner/hosts/find_library.h"

namespace lab {
namespace {

// Throws if somebody has left changes on it.
void refuse_changed(ceph::Cluster& cluster) {
  ClusterRecord record(config_keys(cluster));
  const std::optional<Changes> found = find_changes(journal_path(cluster.fsid()), record);
  if (!found) return;
  std::vector<std::string> changed;
  for (const Undo& undo : found->undos) changed.push_back(describe(undo.knob));
  throw environment_error(
      "a lab has changed this cluster and not put it back: {}; changed: {}. Nothing is measured on "
      "it as it is. `lab restore` (with the same --inventory or --sandbox-dir) puts it back",
      ceph::describe(found->head.holder), changed.empty() ? "nothing yet" : first_few(changed, 6));
}

JournalHead head_of(ceph::Cluster& cluster, const ceph::LockHolder& holder,
                    daemons::Driver* driver) {
  return {cluster.fsid(), holder, driver ? driver->address() : OrderedJson(nullptr)};
}

}  // namespace

ClusterTuning::ClusterTuning(ceph::Cluster& cluster, std::unique_ptr<daemons::Driver> driver,
                             const std::string& command, Say say)
    : cluster_(cluster),
      driver_(std::move(driver)),
      say_(std::move(say)),
      holder_(ceph::this_process(command)),
      lock_(cluster, holder_),
      boards_(cluster, driver_.get()),
      tuned_(cluster, say_),
      journal_(head_of(cluster, holder_, driver_.get()), journal_path(cluster.fsid()),
               ClusterRecord(config_keys(cluster))),
      tuner_(tuned_, driver_.get(), boards_.all(), journal_, say_) {
  refuse_changed(cluster);
}

ClusterTuning::~ClusterTuning() {
  try {
    restore();
  } catch (const std::exception& e) {
    say_(e.what());
  }
}

std::vector<std::string> ClusterTuning::daemons() {
  return driver_ ? driver_->daemons() : std::vector<std::string>();
}

Surroundings ClusterTuning::surroundings() {
  return {daemons(),
          [this](const std::string& daemon) {
            std::map<std::string, std::string> environment = driver_->environment(daemon);
            // As it was before any change.
            for (const auto& [knob, value] : tuner_.found()) {
              if (knob.kind != KnobKind::environment || knob.place != daemon) continue;
              if (value)
                environment[knob.name] = *value;
              else
                environment.erase(knob.name);
            }
            return environment;
          },
          hosts::find_library};
}

std::string ClusterTuning::calm(bool restarts) {
  calm_.clear();
  calm_[{KnobKind::osd_flag, "", "noscrub"}] = "on";
  calm_[{KnobKind::osd_flag, "", "nodeep-scrub"}] = "on";
  if (restarts) calm_[{KnobKind::osd_flag, "", "noout"}] = "on";
  calm_[{KnobKind::balancer, "", ""}] = "off";
  calm_[kBalancerOption] = "false";
  for (const auto& [pool, mode] : ceph::read_autoscale_modes(cluster_))
    if (mode != "off") calm_[{KnobKind::autoscale, pool, ""}] = "off";
  tuner_.enter(calm_, {});
  std::string text = "scrubs, balancer and autoscaler off";
  if (restarts) text += ", noout";
  return text;
}

// Each cluster has its lock and its journal, but the host is one.
void ClusterTuning::check_host(const KnobValues& wanted) const {
  const std::map<Knob, fs::path> taken = host_changes_of_others(journal_path(cluster_.fsid()));
  for (const auto& [knob, value] : wanted)
    if (const auto other = taken.find(knob); other != taken.end())
      throw environment_error(
          "{}: a lab on another cluster has changed it on this host and not put it back ({}): wait "
          "for its end, or call `lab restore` for that cluster",
          describe(knob), other->second.string());
}

bool ClusterTuning::enter(const std::vector<Setting>& settings, unsigned unit,
                          const std::set<std::string>& restarts) {
  check_lock();
  wanted_ = calm_;
  failures_.clear();
  for (const auto& [knob, value] : knobs_of(settings, surroundings())) wanted_[knob] = value;
  check_host(wanted_);
  const bool fresh = unit != unit_;
  unit_ = unit;
  return !tuner_.enter(wanted_, fresh ? restarts : std::set<std::string>()).empty();
}

void ClusterTuning::disturb(const KnobValues& failures) {
  check_lock();
  for (const auto& [knob, value] : failures) failures_[knob] = value;
  KnobValues wanted = wanted_;
  wanted.insert(failures_.begin(), failures_.end());
  tuner_.enter(wanted, {});
}

void ClusterTuning::heal(std::chrono::seconds limit) {
  check_lock();
  failures_.clear();
  tuner_.enter(wanted_, {});
  // Until the statistics know of the way back, the cluster looks as clean as before it.
  for (int look = 0; look < 2; ++look) {
    interruptible_sleep(2 * ceph::stats_period(cluster_));
    tuned_.wait_clean(limit);
  }
}

void ClusterTuning::restore() {
  if (!journal_.empty() && lock_.lost())
    throw Error(
        Exit::not_restored,
        "the lock on the cluster was lost, and another lab may have put back or changed what "
        "this one had changed: see `lab restore`");
  tuner_.restore();
  // Whatever runs next, its daemons are started anew for it.
  unit_ = 0;
}

std::string restore_cluster(ceph::Cluster& cluster, const ClusterTuning::Say& say) {
  const HoldInterrupts hold;
  const ceph::ExclusiveLock lock(cluster, ceph::this_process("lab restore"));
  ClusterRecord record(config_keys(cluster));
  const fs::path path = journal_path(cluster.fsid());
  const std::optional<Changes> found = find_changes(path, record);
  if (!found) return "";
  const JournalHead& head = found->head;
  std::unique_ptr<daemons::Driver> driver;
  bool on_host = !found->restarts.empty();
  for (const Undo& undo : found->undos) on_host = on_host || is_on_host(undo.knob.kind);
  // What lies on another host stays in the record until it is put back from there.
  const bool partly = on_host && !ceph::is_this_host(head.holder);
  if (on_host && !partly && !head.driver.is_null()) driver = daemons::open_driver(head.driver);
  Changes here = *found;
  if (partly) {
    here.restarts.clear();
    std::erase_if(here.undos, [](const Undo& undo) { return is_on_host(undo.knob.kind); });
  }
  Boards boards(cluster, driver.get());
  CephTunedCluster tuned(cluster, say);
  Journal journal = Journal::reopen(*found, path, record);
  Tuner tuner(tuned, driver.get(), boards.all(), journal, say);
  tuner.take_over(here);
  tuner.restore(!partly);
  if (partly)
    throw Error(
        Exit::not_restored,
        fmt::format("what lies in the cluster is as it was; what lies on host {} (environments "
                    "of daemons, kernel parameters) can be put back only there: run `lab "
                    "restore` on it",
                    head.holder.host));
  // The journal that its own host still has is of no use any more.
  if (!ceph::is_this_host(head.holder)) record.leave_word(head.holder);
  return fmt::format("put back what was changed by {}: {} values, {} daemons started anew",
                     ceph::describe(head.holder), here.undos.size(), here.restarts.size());
}

}  // namespace lab
