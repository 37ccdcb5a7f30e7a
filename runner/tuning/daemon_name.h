// Names of daemons as lab writes them: "osd.3", "mon.a", "rgw.a".
#pragma once

#include <string>

namespace lab {

// "osd" of "osd.3"; a kind is its own.
std::string kind_of(const std::string& daemon);

// A scope is a kind of daemon ("osd") or one of them ("osd.0").
bool in_scope(const std::string& scope, const std::string& daemon);

// A daemon or a kind as Ceph's configuration names it: gateways are clients there, "client.rgw.a"
// of "rgw.a" and "client.rgw" of "rgw".
std::string entity_of(const std::string& daemon);

// Whether `who` of `ceph config set` ("global", "osd", "osd.1", "osd/class:ssd", "client.rgw.a")
// means a daemon. Masks are taken as if they held.
bool reaches(const std::string& who, const std::string& daemon);

}  // namespace lab
