// A Ceph cluster, spoken to through librados: commands go out as JSON, answers come
// back as JSON. Nothing here starts, stops or configures by itself.
// Failures throw lab::Error (Exit::environment) that names the cluster and the command.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runner/base/json.h"

namespace lab::ceph {

// How to reach it. As for all of Ceph's programs, CEPH_ARGS in the environment comes
// before the configuration file (librados reads it by itself); a keyring named here
// comes before CEPH_KEYRING.
struct Access {
  std::string cluster = "ceph";  // cluster name
  fs::path conf;                 // ceph.conf
  fs::path keyring;              // empty: as the conf says
  std::string client = "client.admin";
};

// The client's caps don't allow it.
class NotPermitted : public Error {
 public:
  explicit NotPermitted(const std::string& text) : Error(Exit::environment, text) {}
};

// What to say of a failure to connect or of a failed command; `error` is a negative
// errno. Pure, so that every case has its test.
std::string explain_connect_failure(const Access& access, int error, std::chrono::seconds timeout);
std::string explain_command_failure(const Access& access, const std::string& target,
                                    const std::string& prefix, int error,
                                    const std::string& status);

class Cluster {
 public:
  // Connects; fails after `timeout` (a cluster without quorum would hang for ever).
  static std::unique_ptr<Cluster> connect(const Access& access,
                                          std::chrono::seconds timeout = std::chrono::seconds(10));
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  const Access& access() const;
  std::string fsid() const;

  // `{"prefix": "osd tree"}`; "format": "json" is added. The answer parsed; a null
  // value if it is empty, and a string if it is no JSON. `input` is what the ceph
  // program would take with -i. None waits longer than a minute.
  Json mon(const Json& command, const std::string& input = {});
  Json mgr(const Json& command, std::chrono::milliseconds timeout = std::chrono::seconds(60));
  Json osd(int id, const Json& command);
  // Asks many OSDs the same, some at a time, and returns after `limit` at the latest. One that
  // refuses, is down or has not answered by then is missing: a stuck OSD holds up nobody.
  std::map<int, Json> osds(const std::vector<int>& ids, const Json& command,
                           std::chrono::milliseconds limit);
  // As mon(), but returns the negative errno instead of throwing (and the words
  // of the cluster in `status`).
  int try_mon(const Json& command, Json* answer, std::string* status);
  // As osd(), likewise.
  int try_osd(int id, const Json& command, Json* answer, std::string* status);

  bool has_pool(const std::string& pool);
  std::vector<std::string> pools();

  // A client option as this connection has it (file, environment, mon configuration).
  std::string client_option(const std::string& name) const;

  // The raw handle, for librbd (rados_t / rados_ioctx_t). Owned by this object.
  void* rados() const;
  // Another one, whose operations fail with ETIMEDOUT after a minute, where the first waits for
  // OSDs that are gone without end.
  void* bounded_rados();

 private:
  struct Impl;
  explicit Cluster(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace lab::ceph
