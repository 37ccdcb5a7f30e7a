#include "runner/hosts/listeners.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <set>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::hosts {
namespace {

constexpr std::string_view kListen = "0A";  // TCP_LISTEN in the kernel's table

template <typename Number>
bool from_hex(std::string_view text, Number& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc{} && end == text.data() + text.size();
}

// 8 hex digits for IPv4, 32 for IPv6: words of 32 bits in host order, each of which
// holds four bytes in network order.
std::optional<std::string> address_text(std::string_view hex) {
  if (hex.size() != 8 && hex.size() != 32) return {};
  uint32_t words[4] = {};
  for (size_t i = 0; i < hex.size() / 8; ++i)
    if (!from_hex(hex.substr(8 * i, 8), words[i])) return {};
  char text[INET6_ADDRSTRLEN] = {};
  if (!inet_ntop(hex.size() == 8 ? AF_INET : AF_INET6, words, text, sizeof text)) return {};
  return text;
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::string& field : split(trim(line), ' '))
    if (!field.empty()) fields.push_back(std::move(field));
  return fields;
}

std::set<std::string> own_addresses() {
  std::set<std::string> own = {"127.0.0.1", "::1"};
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return own;
  for (const ifaddrs* each = list; each; each = each->ifa_next) {
    char text[INET6_ADDRSTRLEN] = {};
    if (!each->ifa_addr) continue;
    if (each->ifa_addr->sa_family == AF_INET)
      inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in*>(each->ifa_addr)->sin_addr, text,
                sizeof text);
    else if (each->ifa_addr->sa_family == AF_INET6)
      inet_ntop(AF_INET6, &reinterpret_cast<sockaddr_in6*>(each->ifa_addr)->sin6_addr, text,
                sizeof text);
    if (*text) own.insert(text);
  }
  freeifaddrs(list);
  return own;
}

// Every process that holds one of these sockets, found in one pass over /proc.
std::map<uint64_t, ProcessId> holders_of(const std::set<uint64_t>& inodes) {
  std::map<uint64_t, ProcessId> holders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    std::string name = entry.path().filename();
    pid_t pid = 0;
    auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (bad != std::errc{} || end != name.data() + name.size()) continue;
    std::error_code denied;
    for (const fs::directory_entry& fd : fs::directory_iterator(entry.path() / "fd", denied)) {
      char link[64] = {};
      if (readlink(fd.path().c_str(), link, sizeof link - 1) < 0) continue;
      uint64_t inode = socket_inode(link);
      if (inode == 0 || !inodes.contains(inode)) continue;
      if (std::optional<ProcessId> id = identify(pid)) holders.emplace(inode, *id);
    }
    if (holders.size() == inodes.size()) break;
  }
  return holders;
}

}  // namespace

std::vector<Listener> parse_socket_table(std::string_view text) {
  std::vector<Listener> found;
  for (const std::string& line : split(text, '\n')) {
    // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
    std::vector<std::string> fields = fields_of(line);
    if (fields.size() < 10 || fields[3] != kListen) continue;
    size_t colon = fields[1].find(':');
    if (colon == std::string::npos) continue;
    Listener listener;
    std::optional<std::string> address = address_text(std::string_view(fields[1]).substr(0, colon));
    if (!address ||
        !from_hex(std::string_view(fields[1]).substr(colon + 1), listener.endpoint.port))
      continue;
    listener.endpoint.address = *address;
    const std::string& inode = fields[9];
    if (std::from_chars(inode.data(), inode.data() + inode.size(), listener.inode).ec !=
        std::errc{})
      continue;
    found.push_back(std::move(listener));
  }
  return found;
}

uint64_t socket_inode(std::string_view link) {
  constexpr std::string_view head = "socket:[";
  if (!link.starts_with(head) || !link.ends_with("]")) return 0;
  link.remove_prefix(head.size());
  uint64_t inode = 0;
  std::from_chars(link.data(), link.data() + link.size() - 1, inode);
  return inode;
}

std::map<Endpoint, ProcessId> find_listening_processes(const std::vector<Endpoint>& endpoints) {
  std::map<Endpoint, uint64_t> listening;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::error_code error;
    if (!fs::exists(table, error)) continue;  // a kernel without IPv6
    for (const Listener& listener : parse_socket_table(read_file(table)))
      listening.emplace(listener.endpoint, listener.inode);
  }
  std::set<std::string> own = own_addresses();
  std::map<Endpoint, uint64_t> wanted;
  std::set<uint64_t> inodes;
  for (const Endpoint& endpoint : endpoints) {
    if (!own.contains(endpoint.address)) continue;
    for (const std::string& address :
         {endpoint.address, std::string("0.0.0.0"), std::string("::")}) {
      auto at = listening.find({address, endpoint.port});
      if (at == listening.end()) continue;
      wanted[endpoint] = at->second;
      inodes.insert(at->second);
      break;
    }
  }
  std::map<uint64_t, ProcessId> holders;
  if (!inodes.empty()) holders = holders_of(inodes);
  std::map<Endpoint, ProcessId> found;
  for (const auto& [endpoint, inode] : wanted)
    if (auto at = holders.find(inode); at != holders.end()) found.emplace(endpoint, at->second);
  return found;
}

}  // namespace lab::hosts
