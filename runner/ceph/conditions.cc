#include "runner/ceph/conditions.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <rados/librados.h>

#include <charconv>
#include <cstring>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/hosts/allocator.h"
#include "runner/hosts/package.h"

namespace lab::ceph {
namespace {

bool in_own_mount_namespace(pid_t pid) {
  std::error_code error;
  fs::path own = fs::read_symlink("/proc/self/ns/mnt", error);
  fs::path its = fs::read_symlink(fmt::format("/proc/{}/ns/mnt", pid), error);
  return !error && own == its;
}

void look_at_process(Osd& osd, hosts::Packages& packages) {
  try {
    hosts::Allocator allocator = hosts::read_allocator(osd.process->pid);
    osd.allocator = allocator.name;
    osd.allocator_library = allocator.library;
    if (allocator.deleted) {
      osd.allocator_version = "replaced on disk";
    } else if (in_own_mount_namespace(osd.process->pid)) {
      // In a container the same path is another file, of another package.
      if (const auto& package = packages.of(allocator.library)) {
        osd.allocator_package = package->name;
        osd.allocator_version = package->version;
      }
    }
  } catch (const Error&) {
    // Ended meanwhile, or another user's: what is not known stays empty.
  }
}

int number_of(const Json& object, const char* key) { return object.value(key, 0); }

}  // namespace

std::string short_version(const std::string& text) {
  constexpr std::string_view head = "ceph version ";
  if (!text.starts_with(head)) return text;
  std::string rest = text.substr(head.size());
  return rest.substr(0, rest.find(' '));
}

std::string summarize_versions(const Json& versions) {
  std::map<std::string, std::vector<std::string>> kinds_by_version;
  for (const auto& [kind, counts] : versions.items()) {
    if (kind == "overall") continue;
    for (const auto& [version, count] : counts.items())
      kinds_by_version[short_version(version)].push_back(
          fmt::format("{} {}", count.get<int64_t>(), kind));
  }
  if (kinds_by_version.empty()) return "unknown";
  if (kinds_by_version.size() == 1) return kinds_by_version.begin()->first;
  std::vector<std::string> parts;
  parts.reserve(kinds_by_version.size());
  for (const auto& [version, kinds] : kinds_by_version)
    parts.push_back(fmt::format("{} ({})", version, join(kinds, ", ")));
  return join(parts, ", ");
}

std::string read_server_versions(Cluster& cluster) {
  return summarize_versions(cluster.mon({{"prefix", "versions"}}));
}

std::string client_version() {
  // librados' C interface tells only the version of that interface. The library that
  // it is built on exports `const char* ceph_version_to_str()`.
  if (void* symbol = dlsym(RTLD_DEFAULT, "_Z19ceph_version_to_strv"))
    return reinterpret_cast<const char* (*)()>(symbol)();
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&rados_create2), &info) != 0 && info.dli_fname) {
    std::error_code error;
    fs::path file = fs::canonical(info.dli_fname, error);
    if (!error)
      if (auto package = hosts::package_of(file)) return package->version;
  }
  return "unknown";
}

std::optional<hosts::Endpoint> parse_address(const std::string& text) {
  std::string address = text.substr(0, text.find('/'));
  size_t colon = address.rfind(':');
  if (colon == std::string::npos) return {};
  hosts::Endpoint endpoint;
  const char* port = address.data() + colon + 1;
  const char* end = address.data() + address.size();
  auto [stop, error] = std::from_chars(port, end, endpoint.port);
  if (error != std::errc{} || stop != end || endpoint.port == 0) return {};
  address.resize(colon);
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  // In the form in which the socket tables are read.
  unsigned char bytes[16];
  char normal[INET6_ADDRSTRLEN] = {};
  for (int family : {AF_INET, AF_INET6})
    if (inet_pton(family, address.c_str(), bytes) == 1)
      inet_ntop(family, bytes, normal, sizeof normal);
  if (!*normal) return {};
  endpoint.address = normal;
  return endpoint;
}

std::vector<Osd> parse_osds(const Json& osd_dump, const Json& osd_metadata) {
  std::map<int, const Json*> metadata;
  for (const Json& each : osd_metadata) metadata[each.at("id")] = &each;
  std::vector<Osd> osds;
  for (const Json& entry : osd_dump.at("osds")) {
    Osd osd;
    osd.id = entry.at("osd");
    osd.up = number_of(entry, "up") == 1;
    osd.in = number_of(entry, "in") == 1;
    if (auto at = metadata.find(osd.id); at != metadata.end()) {
      osd.host = at->second->value("hostname", "");
      osd.version = at->second->value("ceph_version_short", "");
      if (osd.version.empty()) osd.version = short_version(at->second->value("ceph_version", ""));
    }
    std::vector<std::string> addresses;
    if (entry.contains("public_addrs"))
      for (const Json& address : entry["public_addrs"].at("addrvec"))
        addresses.push_back(address.value("addr", ""));
    addresses.push_back(entry.value("public_addr", ""));  // all that Mimic has
    for (const std::string& address : addresses) {
      std::optional<hosts::Endpoint> endpoint = parse_address(address);
      if (!endpoint) continue;
      osd.address = *endpoint;
      break;
    }
    osds.push_back(std::move(osd));
  }
  return osds;
}

std::vector<Osd> read_osds(Cluster& cluster) {
  std::vector<Osd> osds =
      parse_osds(cluster.mon({{"prefix", "osd dump"}}), cluster.mon({{"prefix", "osd metadata"}}));
  std::vector<hosts::Endpoint> endpoints;
  for (const Osd& osd : osds)
    if (osd.up) endpoints.push_back(osd.address);
  std::map<hosts::Endpoint, ProcessId> processes = hosts::find_listening_processes(endpoints);
  hosts::Packages packages;
  for (Osd& osd : osds) {
    auto at = processes.find(osd.address);
    if (!osd.up || at == processes.end()) continue;
    osd.process = at->second;
    look_at_process(osd, packages);
  }
  return osds;
}

std::string failure_domain(const Json& rule) {
  std::string domain;
  for (const Json& step : rule.at("steps"))
    if (step.value("op", "").starts_with("choose")) domain = step.value("type", "");
  return domain;
}

std::optional<Pool> parse_pool(const Json& osd_dump, const Json& rules, const std::string& name) {
  for (const Json& entry : osd_dump.at("pools")) {
    if (entry.at("pool_name") != name) continue;
    Pool pool;
    pool.name = name;
    int type = number_of(entry, "type");  // pg_pool_t::TYPE_*
    pool.type = type == 1 ? "replicated" : type == 3 ? "erasure" : fmt::format("type {}", type);
    pool.size = number_of(entry, "size");
    pool.min_size = number_of(entry, "min_size");
    pool.pg_num = number_of(entry, "pg_num");
    if (type == 3) pool.erasure_profile = entry.value("erasure_code_profile", "");
    for (const Json& rule : rules)
      if (rule.at("rule_id") == entry.at("crush_rule")) pool.failure_domain = failure_domain(rule);
    return pool;
  }
  return {};
}

Pool read_pool(Cluster& cluster, const std::string& name) {
  std::optional<Pool> pool = parse_pool(cluster.mon({{"prefix", "osd dump"}}),
                                        cluster.mon({{"prefix", "osd crush rule dump"}}), name);
  if (pool) return *pool;
  std::vector<std::string> names = cluster.pools();
  std::optional<std::string> near = nearest(name, names);
  throw usage_error(
      "{}: there is no pool \"{}\"{}", cluster.access().conf.string(), name,
      near ? fmt::format(" (did you mean \"{}\"?)", *near) : "; there are: " + join(names, ", "));
}

std::vector<std::string> drop_caches(Cluster& cluster) {
  std::vector<std::string> failed;
  Json dump = cluster.mon({{"prefix", "osd dump"}});
  for (const Json& osd : dump.at("osds")) {
    if (number_of(osd, "up") != 1) continue;
    int id = osd.at("osd");
    std::string status;
    int error = cluster.try_osd(id, {{"prefix", "cache drop"}}, nullptr, &status);
    if (error < 0)
      failed.push_back(
          fmt::format("osd.{}: {}{}{}", id, strerror(-error), status.empty() ? "" : ": ", status));
  }
  return failed;
}

}  // namespace lab::ceph
