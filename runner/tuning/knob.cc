#include "runner/tuning/knob.h"

#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "runner/base/text.h"

namespace lab {
namespace {

constexpr std::array<std::pair<KnobKind, const char*>, 10> kKinds = {{
    {KnobKind::config, "config"},
    {KnobKind::osd_flag, "osd-flag"},
    {KnobKind::balancer, "balancer"},
    {KnobKind::autoscale, "autoscale"},
    {KnobKind::environment, "environment"},
    {KnobKind::program, "program"},
    {KnobKind::sysctl, "sysctl"},
    {KnobKind::running, "running"},
    {KnobKind::store, "store"},
    {KnobKind::reweight, "reweight"},
}};

std::string normal(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ' && c != '\t' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  return join(words, " ");
}

}  // namespace

const Knob kBalancerOption = {KnobKind::config, "mgr", "mgr/balancer/active"};

bool same_knob_value(const KnobValue& a, const KnobValue& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  if (normal(*a) == normal(*b)) return true;
  char* end_a = nullptr;
  char* end_b = nullptr;
  const double number_a = std::strtod(a->c_str(), &end_a);
  const double number_b = std::strtod(b->c_str(), &end_b);
  return !a->empty() && !b->empty() && *end_a == '\0' && *end_b == '\0' && number_a == number_b;
}

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
    case KnobKind::running:
      return knob.place + " running";
    case KnobKind::store:
      return "store of " + knob.place;
    case KnobKind::reweight:
      return "reweight of " + knob.place;
    case KnobKind::sysctl:
      break;
  }
  return "sysctl " + knob.name;
}

bool acts_at_start(KnobKind kind) {
  return kind == KnobKind::environment || kind == KnobKind::program;
}

bool is_of_daemon(KnobKind kind) {
  return acts_at_start(kind) || kind == KnobKind::running || kind == KnobKind::store;
}

bool is_on_host(KnobKind kind) { return is_of_daemon(kind) || kind == KnobKind::sysctl; }

KnobValues KnobBoard::read_all(const std::vector<Knob>& knobs) {
  KnobValues values;
  for (const Knob& knob : knobs) values[knob] = read(knob);
  return values;
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
