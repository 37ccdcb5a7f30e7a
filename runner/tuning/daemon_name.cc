#include "runner/tuning/daemon_name.h"

namespace lab {

std::string kind_of(const std::string& daemon) { return daemon.substr(0, daemon.find('.')); }

bool in_scope(const std::string& scope, const std::string& daemon) {
  return daemon == scope || daemon.starts_with(scope + ".");
}

std::string entity_of(const std::string& daemon) {
  return kind_of(daemon) == "rgw" ? "client." + daemon : daemon;
}

bool reaches(const std::string& who, const std::string& daemon) {
  const std::string section = who.substr(0, who.find('/'));
  return section == "global" || in_scope(section, entity_of(daemon));
}

}  // namespace lab
