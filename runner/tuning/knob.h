// A knob is one value in the world that tuning may change: an option in the monitors'
// configuration, a variable in a daemon's environment, a flag of the OSD map. Not to be there
// is a value like any other.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "runner/base/json.h"

namespace lab {

enum class KnobKind {
  config,     // place: who, as `ceph config set` takes it ("osd", "osd/class:ssd", "client.rgw.a")
  osd_flag,   // name: "noscrub"; value "on", or not there
  balancer,   // value "on" or "off"
  autoscale,  // place: a pool; value "on", "off" or "warn"
  environment,  // place: a daemon ("osd.0"); name: a variable of its environment
  program,      // place: a daemon; value: the program that is started as it
  sysctl,       // name: "vm.swappiness", of this host
  running,      // place: a daemon; value "yes", or not there: stopped
  store,        // place: an OSD; value "made", or not there: destroyed, its data with it
  reweight,     // place: an OSD; the part of its data that it keeps: "1", or "0": out
};

struct Knob {
  KnobKind kind = KnobKind::config;
  std::string place;
  std::string name;

  bool operator==(const Knob&) const = default;
  bool operator<(const Knob& other) const {
    return std::tie(kind, place, name) < std::tie(other.kind, other.place, other.name);
  }
};

// Where the balancer's switch leaves its mark, which has to be put back after it.
extern const Knob kBalancerOption;

using KnobValue = std::optional<std::string>;
using KnobValues = std::map<Knob, KnobValue>;

// Equal as the world tells values: numbers and spaces may be written differently.
bool same_knob_value(const KnobValue& a, const KnobValue& b);

// "config osd debug_ms", "environment of osd.0 LD_PRELOAD", "OSD flag noscrub".
std::string describe(const Knob& knob);
// True if a change acts only when the daemon `place` is started again.
bool acts_at_start(KnobKind kind);
// True if it lies on a host, and not in the cluster, so that only that host can put it back.
bool is_on_host(KnobKind kind);
// True if it belongs to one daemon.
bool is_of_daemon(KnobKind kind);

OrderedJson to_json(const Knob& knob);
// Throws lab::Error (Exit::usage) with file and line.
Knob knob_from_json(JsonObject& object);

// Where knobs of some kinds are. All functions throw lab::Error (Exit::environment).
class KnobBoard {
 public:
  virtual ~KnobBoard() = default;
  virtual bool has(KnobKind kind) const = 0;
  virtual KnobValue read(const Knob& knob) = 0;
  // What read() tells of each of them, as they are now, with as few questions as the place allows.
  virtual KnobValues read_all(const std::vector<Knob>& knobs);
  // What is read back afterwards is checked by the caller.
  virtual void set(const Knob& knob, const KnobValue& value) = 0;
};

}  // namespace lab
