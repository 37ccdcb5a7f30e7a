#include "runner/target/owned_options.h"

namespace lab {

std::set<std::string> owned_options(const std::string& target) {
  std::set<std::string> owned = {"filename", "directory", "filename_format", "nrfiles"};
  if (target == "rbd" || target == "rbd-builtin")
    owned.insert({"ioengine", "clustername", "conf", "clientname", "keyring", "pool", "namespace",
                  "rbdname", "cache", "rados_conf", "effective", "counters"});
  if (target == "block") owned.insert("direct");
  if (target == "nbd") owned.insert({"ioengine", "uri"});
  return owned;
}

}  // namespace lab
