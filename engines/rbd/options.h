// What a job says about its image, and what the cache modes mean in librbd's options.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lab::rbd {

enum class CacheMode {
  off,
  writethrough,
  writeback,
  writearound,
  config,  // whatever image, pool and cluster say: nothing is set
};

const char* to_text(CacheMode mode);

struct Options {
  // Connection. Empty texts mean Ceph's own defaults.
  std::string clustername;  // "ceph"
  std::string conf;         // path; else $CEPH_CONF, /etc/ceph/CLUSTER.conf, …
  std::string clientname;   // "admin" or "client.admin"
  std::string keyring;      // path
  std::string rados_conf;   // "key=value,key=value": set before connecting

  // Image.
  std::string pool;
  std::string name_space;
  std::string rbdname;
  CacheMode cache = CacheMode::config;

  // Reporting.
  std::string effective;  // file that gets the open and close records
  std::string counters;   // file made by lab: io::CounterFile
  std::string job = "lab";
  unsigned subjob = 0;
};

using Settings = std::vector<std::pair<std::string, std::string>>;

// librbd's options that make a mode.
Settings cache_settings(CacheMode mode);

// Parses `rados_conf`. A part without '=' continues the value before it, as in
// "mon_host=a,b". Throws lab::Error (Exit::usage).
Settings parse_settings(std::string_view text);

// Everything to set on a handle, in order. Throws lab::Error (Exit::usage) if
// rados_conf names what is not the job's to set (the cache while `cache` sets it, the
// admin socket), or if pool or rbdname is missing.
Settings settings_of(const Options& options);

// "client.admin"
std::string entity_name(const Options& options);
// "pool/image" or "pool/namespace/image", as `rbd` takes it.
std::string image_spec(const Options& options);

// Jobs with equal keys can share a connection, or an open image.
std::string connection_key(const Options& options);
std::string image_key(const Options& options);

}  // namespace lab::rbd
