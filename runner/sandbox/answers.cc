#include "runner/sandbox/answers.h"

namespace lab::sandbox {
namespace {

bool has_nonce(const Json& addresses, pid_t pid) {
  for (const Json& address : addresses.at("addrvec"))
    if (address.at("nonce").get<int64_t>() == pid) return true;
  return false;
}

}  // namespace

bool is_osd_up(const Json& osd_dump, const std::string& name, pid_t pid) {
  for (const Json& osd : osd_dump.at("osds")) {
    if (fmt::format("osd.{}", osd.at("osd").get<int>()) != name) continue;
    return osd.at("up") == 1 && has_nonce(osd.at("public_addrs"), pid);
  }
  return false;
}

bool is_manager_active(const Json& mgr_dump, pid_t pid) {
  return mgr_dump.at("available") == true && has_nonce(mgr_dump.at("active_addrs"), pid);
}

}  // namespace lab::sandbox
