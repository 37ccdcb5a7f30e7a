// Knobs of daemons: environment and program, both acting at their next start; whether they run;
// and whether an OSD has its store.
#pragma once

#include "runner/daemons/driver.h"
#include "runner/tuning/knob.h"

namespace lab {

class DaemonBoard : public KnobBoard {
 public:
  explicit DaemonBoard(daemons::Driver& driver) : driver_(driver) {}
  bool has(KnobKind kind) const override { return is_of_daemon(kind); }
  KnobValue read(const Knob& knob) override;
  void set(const Knob& knob, const KnobValue& value) override;

 private:
  daemons::Driver& driver_;
};

}  // namespace lab
