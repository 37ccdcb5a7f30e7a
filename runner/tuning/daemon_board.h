// Knobs of daemons: environment and program, both acting at their next start.
#pragma once

#include "runner/daemons/driver.h"
#include "runner/tuning/knob.h"

namespace lab {

class DaemonBoard : public KnobBoard {
 public:
  explicit DaemonBoard(daemons::Driver& driver) : driver_(driver) {}
  bool has(KnobKind kind) const override { return acts_at_start(kind); }
  KnobValue read(const Knob& knob) override;
  void set(const Knob& knob, const KnobValue& value) override;

 private:
  daemons::Driver& driver_;
};

}  // namespace lab
