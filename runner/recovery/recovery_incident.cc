#include "runner/recovery/recovery_incident.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>

#include "runner/base/error.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/base/time.h"
#include "runner/ceph/crush_tree.h"
#include "runner/ceph/daemon_options.h"
#include "runner/plan/rewrite.h"

namespace lab::recovery {
namespace {

constexpr const char* kBaseline = "baseline";
constexpr const char* kFailure = "failure";
constexpr const char* kRecovering = "recovering";
constexpr const char* kClean = "clean";
constexpr const char* kCoolDown = "cool-down";

// A cluster that says nothing for so long is not followed any more.
constexpr double kSilence_s = 120;

// What decides how fast an OSD recovers, beside its disk. (Names from Ceph's documentation.)
const std::vector<std::string> kOptions = {"osd_op_queue",
                                           "osd_mclock_profile",
                                           "osd_max_backfills",
                                           "osd_recovery_max_active",
                                           "osd_recovery_max_active_hdd",
                                           "osd_recovery_max_active_ssd",
                                           "osd_recovery_sleep",
                                           "osd_recovery_sleep_hdd",
                                           "osd_recovery_sleep_ssd"};

// Marks of runs that are to be left alone, for what is done here on purpose.
constexpr std::array<std::string_view, 6> kBrought = {"osd-down",       "osd-restarted",
                                                      "osd-in-changed", "recovery-ran",
                                                      "health-worse",   "osd-counters-unread"};

std::string osd_name(int osd) { return fmt::format("osd.{}", osd); }

std::string names(const std::set<int>& osds) {
  std::vector<std::string> all;
  all.reserve(osds.size());
  for (const int osd : osds) all.push_back(osd_name(osd));
  return join(all, ", ");
}

std::string state_text(const results::RecoveryPoint& point) {
  return fmt::format("{} degraded, {} misplaced objects, {} unclean PGs", point.degraded_objects,
                     point.misplaced_objects, point.unclean_pgs);
}

}  // namespace

std::set<int> named_osds(const std::string& text) {
  constexpr std::string_view name = "osd.";
  std::set<int> osds;
  for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
    at += name.size();
    if (at < text.size() && text[at] >= '0' && text[at] <= '9')
      osds.insert(std::atoi(text.c_str() + at));
  }
  return osds;
}

RecoveryIncident::RecoveryIncident(Request request, ClusterTuning& tuning,
                                   std::vector<sampling::Subject> subjects, Say say)
    : request_(std::move(request)),
      tuning_(tuning),
      subjects_(std::move(subjects)),
      say_(std::move(say)) {
  const ClusterAnswers answers = ask(tuning_.cluster());
  osds_ = choose(answers);
  check(answers);
}

std::set<int> RecoveryIncident::choose(const ClusterAnswers& answers) const {
  const std::vector<int> serving = serving_osds(answers.osd_dump);
  if (serving.empty()) throw environment_error("no OSD of this cluster is up and in");
  const int osd = request_.osd.value_or(serving.back());
  if (request_.method != Method::host) return {osd};
  std::vector<std::string> hosts;
  for (const auto& [host, osds] : ceph::osds_by_host(answers.osd_tree)) {
    if (request_.host.empty() ? osds.contains(osd) : request_.host == host) return osds;
    hosts.push_back(host);
  }
  throw usage_error(
      "{}: the CRUSH map has no such host with OSDs; --host= is one of {}",
      request_.host.empty() ? fmt::format("the host of osd.{}", osd) : "--host=" + request_.host,
      join(hosts, ", "));
}

void RecoveryIncident::check(const ClusterAnswers& answers) const {
  Loss loss{osds_, request_.method != Method::out, request_.method != Method::rebuild};
  const std::vector<std::string> reasons = obstacles(answers, loss);
  if (!reasons.empty())
    throw environment_error("{} cannot fail here: {}; nothing was changed", names(osds_),
                            join(reasons, "; "));
  if (request_.method == Method::out) return;
  if (request_.method == Method::rebuild && tuning_.driver() && !tuning_.driver()->makes_stores())
    throw usage_error(
        "--method=rebuild: lab does not know how the stores of these OSDs were made, and destroys "
        "none; it does that in a sandbox only");
  const std::vector<std::string> here = tuning_.daemons();
  for (const int osd : osds_)
    if (std::find(here.begin(), here.end(), osd_name(osd)) == here.end())
      throw environment_error(
          "{}: lab cannot stop and start it: {}; --method=out needs no hand on the daemon",
          osd_name(osd),
          tuning_.driver() ? "its daemon is not on this host"
                           : "the inventory says nothing of how the daemons run (\"daemons\")");
}

double RecoveryIncident::fit(JobFile& job) const {
  constexpr double kWithoutEnd_s = 30 * 86400;
  run_for(job, kWithoutEnd_s);
  job.add_global(
      "a histogram of each second, for percentiles of each phase",
      {{"write_hist_log", "client"}, {"log_hist_msec", "1000"}, {"log_unix_epoch", "1"}});
  return 0;
}

double RecoveryIncident::now_s() const {
  return std::chrono::duration<double>(Clock::now() - zero_).count();
}

KnobValues RecoveryIncident::on_each(KnobKind kind, const KnobValue& value) const {
  KnobValues knobs;
  for (const int osd : osds_) knobs[{kind, osd_name(osd), ""}] = value;
  return knobs;
}

void RecoveryIncident::enter(const std::string& phase) {
  // A boundary takes page tables' time: the phase begins when it is done.
  if (record_.phases.empty())
    sampler_->start(phase);
  else
    sampler_->enter(phase);
  record_.phases.push_back({phase, record_.phases.empty() ? 0 : now_s(), utc_now()});
  say_(fmt::format("phase {}", phase));
}

void RecoveryIncident::begin(const fs::path& folder, const std::string& /*cell*/) {
  check(ask(tuning_.cluster()));
  folder_ = folder;
  record_ = {};
  at_failure_.reset();
  marks_.clear();
  over_ = false;
  record_.method = to_text(request_.method);
  record_.osds.assign(osds_.begin(), osds_.end());
  record_.load = request_.load;
  for (const int osd : serving_osds(tuning_.cluster().mon({{"prefix", "osd dump"}})))
    if (!osds_.contains(osd)) {
      for (const auto& [name, option] : ceph::read_osd_options(tuning_.cluster(), osd, kOptions))
        record_.options[name] = {option.value, option.source};
      break;
    }
  begun_ = true;
  sampler_.emplace(subjects_, folder_ / "samples.csv");
  zero_ = Clock::now();
  enter(kBaseline);
  watch_.emplace(tuning_.cluster(), folder_, zero_);
}

void RecoveryIncident::fail() {
  at_failure_ = watch_->last();
  if (request_.method == Method::out) return let_recover();
  enter(kFailure);
  say_(fmt::format("killing {}", names(osds_)));
  tuning_.disturb(on_each(KnobKind::running, std::nullopt));
  if (request_.method == Method::rebuild) {
    say_(fmt::format("destroying the store of {}", names(osds_)));
    tuning_.disturb(on_each(KnobKind::store, std::nullopt));
  }
}

void RecoveryIncident::let_recover() {
  if (request_.method == Method::rebuild) {
    say_(fmt::format("making the store of {} anew", names(osds_)));
    tuning_.disturb(on_each(KnobKind::store, "made"));
  }
  enter(kRecovering);
  watch_->begin();
  if (request_.method == Method::rebuild) {
    tuning_.disturb(on_each(KnobKind::running, "yes"));
  } else {
    say_(fmt::format("marking {} out", names(osds_)));
    tuning_.disturb(on_each(KnobKind::reweight, "0"));
  }
}

Incident::Want RecoveryIncident::wanted() const {
  if (over_) return Want::over;
  const bool with_load = request_.load && record_.phases.back().name != kCoolDown;
  return with_load ? Want::load : Want::rest;
}

Incident::Want RecoveryIncident::step() {
  const std::string phase = record_.phases.back().name;
  const std::optional<results::RecoveryPoint> last = watch_->last();
  if (watch_->silence().count() > kSilence_s)
    throw environment_error(
        "the cluster has told nothing of its recovery for {:.0f} s: see whether monitors and "
        "manager run (`ceph status`)",
        kSilence_s);
  if (phase == kBaseline) {
    if (in_phase_s() >= request_.baseline_s) fail();
  } else if (phase == kFailure) {
    if (in_phase_s() >= request_.failure_s) let_recover();
  } else if (phase == kRecovering) {
    if (watch_->milestones().over()) {
      enter(kClean);
    } else if (in_phase_s() > request_.limit_s) {
      throw environment_error(
          "not clean {:.0f} s after the recovery began: {}; --limit= allows it more time",
          request_.limit_s, last ? state_text(*last) : "nothing is known");
    }
  } else if (phase == kClean) {
    if (in_phase_s() >= request_.clean_s) enter(kCoolDown);
  } else if (in_phase_s() >= request_.cool_down_s) {
    over_ = true;
  }
  return wanted();
}

void RecoveryIncident::finish_record() {
  const sampling::Account account = sampler_->stop();
  record_.end_s = now_s();
  record_.end = utc_now();
  const Milestones milestones = watch_->milestones();
  record_.degraded_gone_s = milestones.degraded_gone_s();
  record_.misplaced_gone_s = milestones.misplaced_gone_s();
  record_.clean_s = milestones.clean_s();
  if (const auto last = watch_->last(); last && at_failure_ && record_.phase(kRecovering)) {
    // A pool that was removed meanwhile takes its count with it.
    record_.recovered_objects =
        last->recovered_objects - std::min(at_failure_->recovered_objects, last->recovered_objects);
    record_.recovered_bytes =
        last->recovered_bytes - std::min(at_failure_->recovered_bytes, last->recovered_bytes);
  }
  record_.looks_missed = account.looks_missed;
  record_.samples_missed = account.missed;
  results::save_recovery(folder_, record_);
  if (over_ && !milestones.moved())
    marks_.push_back(
        {results::Weight::invalid, "nothing-recovered",
         fmt::format("no placement group was seen to be unclean after {} failed: there "
                     "was nothing to recover",
                     names(osds_))});
  if (auto mark = sampling::missed_looks(account)) marks_.push_back(std::move(*mark));
}

void RecoveryIncident::end() {
  if (!begun_) return;
  begun_ = false;
  std::exception_ptr unwritten;
  try {
    if (watch_) watch_->stop();
    // What failed at its very beginning has nothing to tell.
    if (watch_ && sampler_) finish_record();
  } catch (const std::exception&) {
    unwritten = std::current_exception();
  }
  watch_.reset();
  sampler_.reset();
  // Whoever ends it all puts everything back, too.
  if (!interrupted()) {
    say_("putting the OSDs back");
    tuning_.heal(std::chrono::seconds(static_cast<int64_t>(request_.limit_s)));
  }
  if (unwritten) std::rethrow_exception(unwritten);
}

bool RecoveryIncident::brings(const results::Mark& mark) const {
  if (std::find(kBrought.begin(), kBrought.end(), mark.code) == kBrought.end()) return false;
  // An OSD that fails by itself meanwhile is another matter.
  for (const int osd : named_osds(mark.text))
    if (!osds_.contains(osd)) return false;
  return true;
}

}  // namespace lab::recovery
