// A connection to a cluster, shared by the jobs of a process that ask for the same one.
#pragma once

#include <rados/librados.h>

#include <string>
#include <vector>

#include "engines/io/shared_registry.h"
#include "engines/rbd/effective.h"
#include "engines/rbd/options.h"
#include "runner/base/file.h"

namespace lab::rbd {

class Cluster {
 public:
  using Lease = io::SharedRegistry<Cluster>::Lease;

  // The connection of all jobs with this connection_key(). Throws lab::Error naming the
  // configuration, the client and the repair; never waits longer than the connection's
  // client_mount_timeout (30 s unless configured).
  static Lease share(const Options& options);

  explicit Cluster(const Options& options);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  rados_t handle() const { return handle_; }
  // "ceph version 16.2.15": of the librados in this process.
  const std::string& ceph_version() const { return ceph_version_; }
  // Options as this connection has them, which overrides on an image or its pool are no part of;
  // the source is as engines/ceph/config_diff.h tells it.
  EffectiveOptions own_options(const std::vector<std::string>& names) const;
  // All performance counters of this connection, JSON.
  std::string perf_dump() const;

 private:
  std::string ask(const std::string& command) const;

  rados_t handle_ = nullptr;
  Fd admin_socket_;  // the connection's own, without a name in the file system
  std::string ceph_version_;
};

// A pool's I/O context with its namespace.
class Pool {
 public:
  // Throws lab::Error if there is no such pool or namespace.
  Pool(rados_t cluster, const std::string& pool, const std::string& name_space);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  rados_ioctx_t get() const { return ioctx_; }

 private:
  rados_ioctx_t ioctx_ = nullptr;
};

// errno's text for a negative return value of librados or librbd.
std::string reason(int negative_errno);

}  // namespace lab::rbd
