// What a Ceph option may be, and whether a change of it needs a restart: as the monitors
// know it, so of their version.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/ceph/cluster.h"

namespace lab::ceph {

struct OptionHelp {
  std::string name;
  std::string type;           // "uint", "int", "size", "float", "bool", "str", "secs", …
  std::string default_value;  // of daemons, where theirs is another than of clients
  std::string min;            // empty: none
  std::string max;
  std::vector<std::string> enum_values;  // of a "str" that is no free text
  // False: read at start only, so it takes a restart (`tell … config set` is refused with
  // EPERM). True says no more than that a change is let through: a number without the
  // flag below may still be looked at once only (rgw_thread_pool_size is).
  bool can_update_at_runtime = false;
  bool has_runtime_flag = false;  // its author says that it takes effect at once
};

// Of the answer to `config help`.
OptionHelp parse_option_help(const Json& answer);

// None if the monitors know no option of this name.
std::optional<OptionHelp> read_option_help(Cluster& cluster, const std::string& name);

// Why the monitors would refuse this value: not of the type, out of range, or none of those
// it may be. None if they would take it, or if lab doesn't know the type. Ceph's notation:
// units are binary for a "size" (4K, 4Ki, 1G) and decimal for "uint" and "int" (4K is
// 4000), without fraction; "bool" is true, false or a number, but not yes.
std::optional<std::string> option_mistake(const OptionHelp& option, const std::string& value);

}  // namespace lab::ceph
