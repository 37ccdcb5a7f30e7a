#include "runner/tuning/found_values.h"

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/tuning/daemon_name.h"

namespace lab {
namespace {

std::string built_on(std::string value, const std::string& found) {
  for (size_t at = value.find(kFoundValue); at != std::string::npos;
       at = value.find(kFoundValue, at + found.size()))
    value.replace(at, kFoundValue.size(), found);
  // Nothing may have been there.
  return std::string(trim(value));
}

// "osd/class:ssd" of one daemon: "osd.0/class:ssd".
std::string narrowed(const std::string& who, const std::string& daemon) {
  const size_t masks = who.find('/');
  return entity_of(daemon) + (masks == std::string::npos ? "" : who.substr(masks));
}

void add_expanded(const ConfigOptions& config, const FoundOptions& found,
                  std::vector<Setting>& out) {
  ConfigOptions plain = config;
  std::erase_if(plain.options, [](const auto& option) { return builds_on_found(option.second); });
  if (!plain.options.empty()) out.emplace_back(plain);
  if (plain.options.size() == config.options.size()) return;
  const std::vector<std::string> daemons = found.daemons(config.who);
  if (daemons.empty())
    throw usage_error(
        "\"{}\" builds on the value that was found, and lab can ask no daemon of {} for it: the "
        "inventory names none that it can start anew",
        describe(config), config.who);
  for (const std::string& daemon : daemons) {
    ConfigOptions own{narrowed(config.who, daemon), {}};
    for (const auto& [option, value] : config.options)
      if (builds_on_found(value))
        own.options[option] = built_on(*value, found.value(daemon, option));
    out.emplace_back(std::move(own));
  }
}

}  // namespace

FoundOptions found_options(RunningOptions& running) {
  return {[&running](const std::string& who) {
            if (const std::vector<std::string> others = running.out_of_reach(who); !others.empty())
              throw environment_error(
                  "config {}: a level builds on the value that was found, and from this host {} "
                  "cannot be asked for it",
                  who, first_few(others, 5));
            return running.askable(who);
          },
          [&running](const std::string& daemon, const std::string& option) {
            return running.read(daemon, option).value;
          }};
}

std::vector<Setting> with_found_values(const std::vector<Setting>& settings,
                                       const FoundOptions& found) {
  std::vector<Setting> out;
  for (const Setting& setting : in_force(settings)) {
    if (const auto* config = std::get_if<ConfigOptions>(&setting))
      add_expanded(*config, found, out);
    else
      out.push_back(setting);
  }
  return out;
}

}  // namespace lab
