#include "engines/ceph/config_diff.h"

#include <array>

#include "engines/ceph/option_text.h"
#include "runner/base/error.h"

namespace lab::ceph {
namespace {

// ceph_conf_level_name of src/common/config.cc, strongest first. "final" is not among
// them: in the answer, that is the key of the value in force.
constexpr std::array<const char*, 5> kLevels = {"override", "cmdline", "env", "file", "mon"};

}  // namespace

DaemonOptions parse_config_diff(const Json& answer) {
  if (!answer.is_object() || !answer.contains("diff") || !answer.at("diff").is_object())
    throw environment_error("this is no answer to `config diff`: {}", answer.dump().substr(0, 200));
  DaemonOptions found;
  for (const auto& [name, levels] : answer.at("diff").items()) {
    // Some daemons' diff has more than options (fields of the daemon's own).
    if (!levels.is_object() || !levels.contains("final")) continue;
    DaemonOption option{option_text(levels.at("final")), "default"};
    for (const char* level : kLevels)
      if (levels.contains(level)) {
        option.source = level;
        break;
      }
    // Set by the program for good: no level says so, but it is not the default any more.
    if (option.source == "default" && levels.contains("default") &&
        levels.at("default") != levels.at("final"))
      option.source = "final";
    found.emplace(name, std::move(option));
  }
  return found;
}

}  // namespace lab::ceph
