#include "runner/tuning/daemon_board.h"

namespace lab {

KnobValue DaemonBoard::read(const Knob& knob) {
  if (knob.kind == KnobKind::program) return driver_.program(knob.place);
  if (knob.kind == KnobKind::running)
    return driver_.process(knob.place) ? KnobValue("yes") : std::nullopt;
  if (knob.kind == KnobKind::store)
    return driver_.has_store(knob.place) ? KnobValue("made") : std::nullopt;
  const daemons::Environment environment = driver_.environment(knob.place);
  const auto found = environment.find(knob.name);
  if (found == environment.end()) return {};
  return found->second;
}

void DaemonBoard::set(const Knob& knob, const KnobValue& value) {
  switch (knob.kind) {
    case KnobKind::environment:
      driver_.set_variable(knob.place, knob.name, value);
      break;
    case KnobKind::running:
      value ? driver_.start(knob.place) : driver_.stop(knob.place);
      break;
    case KnobKind::store:
      value ? driver_.make_store(knob.place) : driver_.destroy_store(knob.place);
      break;
    default:
      if (value) driver_.set_program(knob.place, *value);
      break;
  }
}

}  // namespace lab
