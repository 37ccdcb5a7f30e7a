#include "runner/tuning/knob.h"

#include <array>
#include <utility>

namespace lab {
namespace {

constexpr std::array<std::pair<KnobKind, const char*>, 7> kKinds = {{
    {KnobKind::config, "config"},
    {KnobKind::osd_flag, "osd-flag"},
    {KnobKind::balancer, "balancer"},
    {KnobKind::autoscale, "autoscale"},
    {KnobKind::environment, "environment"},
    {KnobKind::program, "program"},
    {KnobKind::sysctl, "sysctl"},
}};

}  // namespace

const Knob kBalancerOption = {KnobKind::config, "mgr", "mgr/balancer/active"};

std::string describe(const Knob& knob) {
  switch (knob.kind) {
    case KnobKind::config:
      return fmt::format("config {} {}", knob.place, knob.name);
    case KnobKind::osd_flag:
      return "OSD flag " + knob.name;
    case KnobKind::balancer:
      return "balancer";
    case KnobKind::autoscale:
      return "autoscaler of pool " + knob.place;
    case KnobKind::environment:
      return fmt::format("environment of {}: {}", knob.place, knob.name);
    case KnobKind::program:
      return "program of " + knob.place;
    case KnobKind::sysctl:
      break;
  }
  return "sysctl " + knob.name;
}

bool acts_at_start(KnobKind kind) {
  return kind == KnobKind::environment || kind == KnobKind::program;
}

bool is_on_host(KnobKind kind) {
  return kind == KnobKind::environment || kind == KnobKind::program || kind == KnobKind::sysctl;
}

OrderedJson to_json(const Knob& knob) {
  OrderedJson json;
  for (const auto& [kind, text] : kKinds)
    if (kind == knob.kind) json["kind"] = text;
  json["place"] = knob.place;
  json["name"] = knob.name;
  return json;
}

Knob knob_from_json(JsonObject& object) {
  const std::string text = object.text("kind");
  for (const auto& [kind, known] : kKinds)
    if (text == known) return {kind, object.text("place"), object.text("name")};
  throw object.error("kind", fmt::format("unknown kind of knob \"{}\"", text));
}

}  // namespace lab
