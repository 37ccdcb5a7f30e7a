#include "runner/tuning/daemon_name.h"

namespace lab {

std::string kind_of(const std::string& daemon) { return daemon.substr(0, daemon.find('.')); }

bool in_scope(const std::string& scope, const std::string& daemon) {
  return daemon == scope || daemon.starts_with(scope + ".");
}

bool reaches(const std::string& who, const std::string& daemon) {
  const std::string section = who.substr(0, who.find('/'));
  const std::string kind = kind_of(daemon);
  // Gateways are clients to Ceph.
  const std::string type = kind == "rgw" ? "client" : kind;
  const std::string entity = kind == "rgw" ? "client." + daemon : daemon;
  return section == "global" || section == type || section == entity ||
         entity.starts_with(section + ".");
}

}  // namespace lab
