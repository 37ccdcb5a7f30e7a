#include "runner/ceph/config_entries.h"

#include "engines/ceph/option_text.h"
#include "runner/base/error.h"

namespace lab::ceph {

std::string who(const ConfigEntry& entry) {
  return entry.mask.empty() ? entry.section : entry.section + "/" + entry.mask;
}

std::vector<ConfigEntry> parse_config_dump(const Json& answer) {
  std::vector<ConfigEntry> entries;
  if (!answer.is_array())
    throw environment_error("this is no answer to `config dump`: {}", answer.dump().substr(0, 200));
  for (const Json& item : answer) {
    // An entry that is left out couldn't be put back: none is passed over.
    if (!item.is_object() || !item.contains("section") || !item.contains("name") ||
        !item.contains("value"))
      throw environment_error("an entry of `config dump` lacks section, name or value: {}",
                              item.dump());
    entries.push_back({option_text(item.at("section")),
                       item.contains("mask") ? option_text(item.at("mask")) : "",
                       option_text(item.at("name")), option_text(item.at("value"))});
  }
  return entries;
}

std::vector<ConfigEntry> read_config_dump(Cluster& cluster) {
  return parse_config_dump(cluster.mon({{"prefix", "config dump"}}));
}

}  // namespace lab::ceph
