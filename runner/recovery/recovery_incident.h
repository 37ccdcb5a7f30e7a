// A recovery as `lab recovery` makes it: baseline, failure, recovering, clean, cool-down, with the
// memory of every daemon and the course of the recovery written down, and everything put back.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/recovery.h"
#include "runner/recovery/incident.h"
#include "runner/recovery/recovery_watch.h"
#include "runner/recovery/redundancy.h"
#include "runner/recovery/request.h"
#include "runner/sampling/sampler.h"
#include "runner/tuning/cluster_tuning.h"

namespace lab::recovery {

// Numbers of the OSDs that a text names, as "osd.3". Pure.
std::set<int> named_osds(const std::string& text);

class RecoveryIncident : public Incident {
 public:
  using Say = std::function<void(const std::string&)>;

  // `subjects`: whose memory is followed. Throws lab::Error: Exit::usage for a host that the
  // cluster hasn't got, Exit::environment if an OSD isn't there, if what it holds would not survive
  // it, or if its daemon is not in lab's hand; nothing has been changed then.
  RecoveryIncident(Request request, ClusterTuning& tuning, std::vector<sampling::Subject> subjects,
                   Say say);

  double fit(JobFile& job) const override;
  void begin(const fs::path& folder, const std::string& cell) override;
  Want step() override;
  void end() override;
  std::vector<results::Mark> marks() const override { return marks_; }
  bool brings(const results::Mark& mark) const override;

 private:
  using Clock = std::chrono::steady_clock;

  Want wanted() const;
  std::set<int> choose(const ClusterAnswers& answers) const;
  void check(const ClusterAnswers& answers) const;
  void enter(const std::string& phase);
  double now_s() const;
  double in_phase_s() const { return now_s() - record_.phases.back().begin_s; }
  void fail();
  void let_recover();
  void finish_record();
  KnobValues on_each(KnobKind kind, const KnobValue& value) const;

  Request request_;
  ClusterTuning& tuning_;
  std::vector<sampling::Subject> subjects_;
  Say say_;
  std::set<int> osds_;
  fs::path folder_;
  Clock::time_point zero_;
  results::RecoveryRecord record_;
  std::optional<sampling::Sampler> sampler_;
  std::optional<RecoveryWatch> watch_;
  std::optional<results::RecoveryPoint> at_failure_;
  std::vector<results::Mark> marks_;
  bool over_ = false;
  bool begun_ = false;  // and not yet ended
};

}  // namespace lab::recovery
