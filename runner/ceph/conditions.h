// Under which conditions a cluster was measured: versions, pools, and what each OSD's
// process really is. Read once before a run and written into its manifest.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/base/process.h"
#include "runner/ceph/cluster.h"
#include "runner/hosts/listeners.h"

namespace lab::ceph {

// "16.2.15" of "ceph version 16.2.15 (618f…) pacific (stable)"; the text itself if it
// is of another form.
std::string short_version(const std::string& text);

// The monitors' `versions` in a few words: "16.2.15", or, if the daemons differ,
// "16.2.15 (1 mgr, 1 mon, 2 osd), 17.2.7 (1 osd)".
std::string summarize_versions(const Json& versions);
std::string read_server_versions(Cluster& cluster);

// Version of the librados that this process has loaded ("16.2.15"), or of its package
// if the library doesn't tell; "unknown" if neither is known.
std::string client_version();

struct Osd {
  int id = 0;
  std::string host;     // as the OSD calls it
  std::string version;  // short
  bool up = false;
  bool in = false;
  hosts::Endpoint address;  // public, first of its protocols
  // The rest only of OSDs on this host that we may look at.
  std::optional<ProcessId> process;
  std::string allocator;  // see hosts::Allocator; empty if unknown for lack of a process
  fs::path allocator_library;
  std::string allocator_package;
  std::string allocator_version;  // of the package; "replaced on disk" if that isn't what runs
};

// The OSDs of `osd dump` with the names and versions of `osd metadata` (both as those
// commands answer without arguments); their processes are left open.
std::vector<Osd> parse_osds(const Json& osd_dump, const Json& osd_metadata);

// "127.0.0.1:6800/123" or "[::1]:6800/0" or without a nonce; none if it is no address
// ("-", or a port of 0).
std::optional<hosts::Endpoint> parse_address(const std::string& text);

// As above, and looks at the processes of those that are on this host.
std::vector<Osd> read_osds(Cluster& cluster);

struct Pool {
  std::string name;
  std::string type;  // "replicated", "erasure"
  int size = 0;      // copies, or data and coding chunks
  int min_size = 0;
  int pg_num = 0;
  std::string failure_domain;   // of its CRUSH rule: "osd", "host", "rack", …
  std::string erasure_profile;  // empty if replicated
};

// The failure domain of one rule of `osd crush rule dump`: the type that its last
// choosing step spreads over; empty if it has none.
std::string failure_domain(const Json& rule);

// None if there is no such pool.
std::optional<Pool> parse_pool(const Json& osd_dump, const Json& rules, const std::string& name);

// Throws lab::Error (Exit::usage) if there is no such pool, with the nearest name.
Pool read_pool(Cluster& cluster, const std::string& name);

// Empties the OSDs' caches. Returns those that could not be asked ("osd.3: …").
std::vector<std::string> drop_caches(Cluster& cluster);

}  // namespace lab::ceph
