#include "runner/ceph/exclusive_lock.h"

#include <rados/librados.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <vector>

#include "runner/base/text.h"
#include "runner/base/time.h"

namespace lab::ceph {
namespace {

constexpr const char* kObject = "lab.lock";
constexpr const char* kName = "laboratory";
constexpr const char* kNamespace = "lab";
constexpr std::chrono::seconds kDuration{60};
constexpr std::chrono::seconds kRenewal{10};

std::string boot_id() {
  return std::string(trim(read_file_or_empty("/proc/sys/kernel/random/boot_id")));
}

std::string pid_namespace() {
  std::error_code error;
  return fs::read_symlink("/proc/self/ns/pid", error).string();
}

// The oldest replicated pool: the same for all labs, whatever their inventories name.
std::string lock_pool(Cluster& cluster) {
  const Json dump = cluster.mon({{"prefix", "osd dump"}});
  std::string name;
  int64_t lowest = INT64_MAX;
  for (const Json& pool : dump.at("pools")) {
    constexpr int kReplicated = 1;
    const int64_t id = pool.at("pool");
    if (pool.value("type", 0) != kReplicated || id >= lowest) continue;
    lowest = id;
    name = pool.at("pool_name");
  }
  if (name.empty())
    throw environment_error(
        "{}: the cluster has no replicated pool, and the lock that keeps two labs apart lies in "
        "one; create a pool",
        cluster.access().conf.string());
  return name;
}

// The lock's present holder, if there is one; its RADOS client in `client`.
std::string holder_cookie(rados_ioctx_t io, std::string* client) {
  // As rados_list_lockers wants them; a second call with its sizes is not needed for one holder.
  std::vector<char> tag(256);
  std::vector<char> clients(4096);
  std::vector<char> cookies(4096);
  std::vector<char> addresses(4096);
  size_t tag_size = tag.size();
  size_t clients_size = clients.size();
  size_t cookies_size = cookies.size();
  size_t addresses_size = addresses.size();
  int exclusive = 0;
  const ssize_t count = rados_list_lockers(io, kObject, kName, &exclusive, tag.data(), &tag_size,
                                           clients.data(), &clients_size, cookies.data(),
                                           &cookies_size, addresses.data(), &addresses_size);
  if (count <= 0) return "";
  *client = clients.data();
  return cookies.data();
}

}  // namespace

LockHolder this_process(std::string command) {
  LockHolder holder;
  holder.command = std::move(command);
  char name[HOST_NAME_MAX + 1] = {};
  gethostname(name, sizeof name - 1);
  holder.host = name;
  holder.boot = boot_id();
  holder.pids = pid_namespace();
  holder.process = identify(getpid()).value_or(ProcessId{});
  holder.since = utc_now();
  return holder;
}

std::string to_cookie(const LockHolder& holder) {
  return json_line({{"command", holder.command},
                    {"host", holder.host},
                    {"boot", holder.boot},
                    {"pids", holder.pids},
                    {"pid", holder.process.pid},
                    {"start_ticks", holder.process.start_ticks},
                    {"since", holder.since}});
}

std::optional<LockHolder> from_cookie(const std::string& cookie) {
  try {
    const Json json = Json::parse(cookie);
    LockHolder holder;
    json.at("command").get_to(holder.command);
    json.at("host").get_to(holder.host);
    json.at("boot").get_to(holder.boot);
    json.at("pids").get_to(holder.pids);
    json.at("pid").get_to(holder.process.pid);
    json.at("start_ticks").get_to(holder.process.start_ticks);
    json.at("since").get_to(holder.since);
    return holder;
  } catch (const Json::exception&) {
    return {};
  }
}

std::string describe(const LockHolder& holder) {
  return fmt::format("{} on host {} (pid {}) since {}", holder.command, holder.host,
                     holder.process.pid, holder.since);
}

bool is_this_host(const LockHolder& holder) { return holder.host == this_process("").host; }

bool has_ended(const LockHolder& holder) {
  return !holder.boot.empty() && holder.boot == boot_id() && holder.pids == pid_namespace() &&
         !is_running(holder.process);
}

ExclusiveLock::ExclusiveLock(Cluster& cluster, const LockHolder& holder)
    : pool_(lock_pool(cluster)), cookie_(to_cookie(holder)), description_(describe(holder)) {
  rados_ioctx_t io = nullptr;
  int error = rados_ioctx_create(static_cast<rados_t>(cluster.bounded_rados()), pool_.c_str(), &io);
  if (error < 0)
    throw environment_error("pool {}, where the lock that keeps two labs apart lies: {}", pool_,
                            strerror(-error));
  ioctx_ = io;
  rados_ioctx_set_namespace(io, kNamespace);
  timeval duration{kDuration.count(), 0};
  auto lock = [&] {
    return rados_lock_exclusive(io, kObject, kName, cookie_.c_str(), description_.c_str(),
                                &duration, 0);
  };
  error = lock();
  std::string other;
  if (error == -EBUSY) {
    std::string client;
    other = holder_cookie(io, &client);
    const std::optional<LockHolder> known = from_cookie(other);
    if (other.empty()) {
      error = lock();  // given up meanwhile
    } else if (known && has_ended(*known)) {
      rados_break_lock(io, kObject, kName, client.c_str(), other.c_str());
      error = lock();
    }
  }
  if (error == -EBUSY) {
    const std::optional<LockHolder> known = from_cookie(other);
    rados_ioctx_destroy(io);
    throw environment_error(
        "another lab works on this cluster: {}. Wait for it; if it has died on another host, its "
        "lock ends {} s after its last sign of life",
        known ? describe(*known) : "unknown (" + other + ")", kDuration.count());
  }
  if (error < 0) {
    rados_ioctx_destroy(io);
    const std::string text =
        fmt::format("the lock that keeps two labs apart (object {} in pool {}, namespace {}): {}",
                    kObject, pool_, kNamespace, strerror(-error));
    if (error == -EPERM || error == -EACCES)
      throw NotPermitted(text + "; the client needs osd `allow rwx` there");
    throw environment_error("{}", text);
  }
  renewal_ = std::thread([this] { renew_until_stopped(); });
}

ExclusiveLock::~ExclusiveLock() {
  {
    const std::lock_guard guard(mutex_);
    stop_ = true;
  }
  stopping_.notify_all();
  renewal_.join();
  auto* io = static_cast<rados_ioctx_t>(ioctx_);
  // Removed while it is still held: whoever comes next makes it anew.
  if (!lost_ && renew() == 0) rados_remove(io, kObject);
  rados_ioctx_destroy(io);
}

int ExclusiveLock::renew() {
  auto lock = [this](uint8_t flags) {
    timeval duration{kDuration.count(), 0};
    return rados_lock_exclusive(static_cast<rados_ioctx_t>(ioctx_), kObject, kName, cookie_.c_str(),
                                description_.c_str(), &duration, flags);
  };
  const int error = lock(LIBRADOS_LOCK_FLAG_MUST_RENEW);
  if (error != -ENOENT) return error;
  // It has run out. Where the object is gone, another lab has held it since, and left.
  uint64_t size = 0;
  time_t when = 0;
  if (rados_stat(static_cast<rados_ioctx_t>(ioctx_), kObject, &size, &when) == -ENOENT)
    return -EBUSY;
  return lock(0);
}

void ExclusiveLock::renew_until_stopped() {
  auto last = std::chrono::steady_clock::now();
  std::unique_lock guard(mutex_);
  while (!stopping_.wait_for(guard, kRenewal, [this] { return stop_; })) {
    guard.unlock();
    const auto begin = std::chrono::steady_clock::now();
    const int error = renew();
    guard.lock();
    if (error == 0)
      last = begin;
    else if (error == -EBUSY || std::chrono::steady_clock::now() - last > 2 * kDuration)
      lost_ = true;
  }
}

void ExclusiveLock::check() const {
  if (lost_)
    throw environment_error(
        "the lock that keeps two labs apart was not renewed in time (object {} in pool {}): "
        "another lab may work on the cluster since; nothing more is measured",
        kObject, pool_);
}

}  // namespace lab::ceph
