#include "runner/tuning/daemon_board.h"

namespace lab {

KnobValue DaemonBoard::read(const Knob& knob) {
  if (knob.kind == KnobKind::program) return driver_.program(knob.place);
  const daemons::Environment environment = driver_.environment(knob.place);
  const auto found = environment.find(knob.name);
  if (found == environment.end()) return {};
  return found->second;
}

void DaemonBoard::set(const Knob& knob, const KnobValue& value) {
  if (knob.kind == KnobKind::environment)
    driver_.set_variable(knob.place, knob.name, value);
  else if (value)
    driver_.set_program(knob.place, *value);
}

}  // namespace lab
