#include "engines/rbd/cluster.h"

#include <fcntl.h>
#include <rbd/librbd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "engines/ceph/admin_socket.h"
#include "engines/ceph/config_diff.h"
#include "runner/base/error.h"
#include "runner/base/json.h"

namespace lab::rbd {
namespace {

constexpr std::chrono::seconds kAdminTimeout{10};
constexpr const char* kConnectTimeoutS = "30";

// A directory of one's own with a path short enough for a socket in it.
class PrivateDirectory {
 public:
  PrivateDirectory() {
    const char* base = getenv("TMPDIR");
    std::string pattern = std::string(base && *base ? base : "/tmp") + "/lab-rbd-XXXXXX";
    constexpr size_t kLongest = 90;  // sockaddr_un takes 107 with the socket's name
    if (pattern.size() > kLongest) pattern = "/tmp/lab-rbd-XXXXXX";
    if (!mkdtemp(pattern.data()))
      throw environment_error(
          "cannot create a directory {} for the connection's admin socket: {}; set TMPDIR to a "
          "writable one",
          pattern, std::generic_category().message(errno));
    path_ = pattern;
  }
  ~PrivateDirectory() {
    unlink(socket().c_str());
    rmdir(path_.c_str());
  }
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;
  std::string socket() const { return path_ + "/asok"; }

 private:
  std::string path_;
};

std::string configured(rados_t handle, const char* name) {
  std::array<char, 4096> value{};
  return rados_conf_get(handle, name, value.data(), value.size()) == 0 ? value.data() : "";
}

std::string where(const Options& options) {
  return options.conf.empty() ? "the cluster of Ceph's default configuration"
                              : "the cluster of " + options.conf;
}

void check_readable(const std::string& path, const char* option) {
  if (path.empty() || access(path.c_str(), R_OK) == 0) return;
  throw environment_error("{}={}: cannot read it: {}; give the right path or the right to read it",
                          option, path, std::generic_category().message(errno));
}

void read_configuration(rados_t handle, const Options& options) {
  check_readable(options.conf, "conf");
  int r = rados_conf_read_file(handle, options.conf.empty() ? nullptr : options.conf.c_str());
  if (r == -ENOENT)
    throw environment_error(
        "no Ceph configuration found ($CEPH_CONF, /etc/ceph/{}.conf, ~/.ceph): name it with conf=",
        options.clustername.empty() ? "ceph" : options.clustername);
  if (r < 0)
    throw environment_error("cannot read Ceph's configuration {}: {}; check it with ceph-conf",
                            options.conf.empty() ? "file" : options.conf, reason(r));
  rados_conf_parse_env(handle, nullptr);
}

void set(rados_t handle, const std::string& name, const std::string& value) {
  int r = rados_conf_set(handle, name.c_str(), value.c_str());
  if (r == -ENOENT)
    throw usage_error("rados_conf sets {}, which is no option of this librados; check its spelling",
                      name);
  if (r < 0)
    throw usage_error("rados_conf: \"{}\" is no value that {} can take: {}", value, name,
                      reason(r));
}

// Ceph waits five minutes for a monitor by default, and for ever for its answers.
void bound_waiting(rados_t handle) {
  if (std::atof(configured(handle, "client_mount_timeout").c_str()) == 300)
    rados_conf_set(handle, "client_mount_timeout", kConnectTimeoutS);
  if (std::atof(configured(handle, "rados_mon_op_timeout").c_str()) == 0)
    rados_conf_set(handle, "rados_mon_op_timeout", kConnectTimeoutS);
}

Error connect_error(rados_t handle, const Options& options, int r) {
  std::string to = fmt::format("cannot connect to {} as {}", where(options), entity_name(options));
  if (r == -ETIMEDOUT)
    return environment_error(
        "{}: no monitor answered within {} s (mon_host = {}): check that the monitors run and can "
        "be reached from here",
        to, configured(handle, "client_mount_timeout"), configured(handle, "mon_host"));
  if (r == -EACCES || r == -EPERM)
    return environment_error(
        "{}: {}: the cluster doesn't accept its key (keyring = {}): compare it with `ceph auth get "
        "{}`",
        to, reason(r), configured(handle, "keyring"), entity_name(options));
  if (r == -ENOENT)
    return environment_error(
        "{}: {}: no monitor address (mon_host = {}) or no key of {} in the keyring ({}): name the "
        "right files with conf= and keyring=",
        to, reason(r), configured(handle, "mon_host"), entity_name(options),
        configured(handle, "keyring"));
  return environment_error("{}: {}", to, reason(r));
}

}  // namespace

std::string reason(int negative_errno) { return std::generic_category().message(-negative_errno); }

Cluster::Lease Cluster::share(const Options& options) {
  // Never destroyed: nothing of Ceph may run while the process takes itself down.
  static auto& registry = *new io::SharedRegistry<Cluster>();
  return registry.take(connection_key(options), [&] { return std::make_unique<Cluster>(options); });
}

Cluster::Cluster(const Options& options) {
  Settings settings = settings_of(options);
  check_readable(options.keyring, "keyring");
  PrivateDirectory directory;
  int r =
      rados_create2(&handle_, options.clustername.empty() ? "ceph" : options.clustername.c_str(),
                    entity_name(options).c_str(), 0);
  if (r < 0)
    throw environment_error("librados refuses the client name {}: {}", entity_name(options),
                            reason(r));
  try {
    read_configuration(handle_, options);
    bound_waiting(handle_);
    for (const auto& [name, value] : settings) set(handle_, name, value);
    set(handle_, "admin_socket", directory.socket());
    r = rados_connect(handle_);
    if (r < 0) throw connect_error(handle_, options, r);
    // The descriptor outlives the name, so that nothing is left behind in the file
    // system, even by a process that is killed.
    admin_socket_ = Fd(open(directory.socket().c_str(), O_PATH | O_CLOEXEC));
    if (!admin_socket_)
      throw environment_error(
          "librados made no admin socket {}: {}; without it no cache mode can "
          "be proven",
          directory.socket(), std::generic_category().message(errno));
    Json version = Json::parse(ask("version"), nullptr, false);
    if (version.is_object()) ceph_version_ = "ceph version " + version.value("version", "?");
  } catch (...) {
    rados_shutdown(handle_);
    throw;
  }
}

Cluster::~Cluster() { rados_shutdown(handle_); }

std::string Cluster::ask(const std::string& command) const {
  return ceph::admin_socket_command(fmt::format("/proc/self/fd/{}", admin_socket_.get()),
                                    Json{{"prefix", command}}.dump(), kAdminTimeout);
}

std::string Cluster::perf_dump() const { return ask("perf dump"); }

EffectiveOptions Cluster::own_options(const std::vector<std::string>& names) const {
  EffectiveOptions options;
  if (names.empty()) return options;
  const ceph::DaemonOptions set =
      ceph::parse_config_diff(Json::parse(ask("config diff"), nullptr, false));
  for (const std::string& name : names) {
    const auto found = set.find(name);
    options[name] = found == set.end()
                        ? EffectiveOption{configured(handle_, name.c_str()), "default"}
                        : EffectiveOption{found->second.value, found->second.source};
  }
  return options;
}

Pool::Pool(rados_t cluster, const std::string& pool, const std::string& name_space) {
  int r = rados_ioctx_create(cluster, pool.c_str(), &ioctx_);
  if (r == -ENOENT)
    throw environment_error("there is no pool \"{}\" in the cluster; `ceph osd pool ls` lists them",
                            pool);
  if (r < 0) throw environment_error("cannot use pool \"{}\": {}", pool, reason(r));
  if (name_space.empty()) return;
  bool exists = false;
  r = rbd_namespace_exists(ioctx_, name_space.c_str(), &exists);
  // Whoever may not look into the pool itself may still have rights in the namespace.
  if (r == 0 && !exists) {
    rados_ioctx_destroy(ioctx_);
    throw environment_error(
        "there is no namespace \"{}\" in pool \"{}\"; `rbd namespace ls {}` lists them", name_space,
        pool, pool);
  }
  rados_ioctx_set_namespace(ioctx_, name_space.c_str());
}

Pool::~Pool() { rados_ioctx_destroy(ioctx_); }

}  // namespace lab::rbd
