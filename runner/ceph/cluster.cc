#include "runner/ceph/cluster.h"

#include <rados/librados.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::ceph {
namespace {

// Commands to monitors and OSDs that take longer have lost their cluster.
constexpr const char* kCommandTimeoutSeconds = "60";

// So many OSDs are asked at a time: enough to hide the way there, too few to be a load.
constexpr size_t kOsdsAtOnce = 16;

struct Handle {
  explicit Handle(rados_t connected) : rados(connected) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { rados_shutdown(rados); }
  rados_t rados;
};

std::string name_of(const Access& access) {
  return access.conf.empty() ? access.cluster : access.conf.string();
}

// librados hands out memory that only it may free.
class Answer {
 public:
  Answer() = default;
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  ~Answer() {
    rados_buffer_free(out);
    rados_buffer_free(status);
  }
  std::string out_text() const { return out ? std::string(out, out_bytes) : std::string(); }
  std::string status_text() const {
    return std::string(trim(status ? std::string_view(status, status_bytes) : std::string_view()));
  }

  char* out = nullptr;
  size_t out_bytes = 0;
  char* status = nullptr;
  size_t status_bytes = 0;
};

std::string with_format(const Json& command) {
  Json full = command;
  if (!full.contains("format")) full["format"] = "json";
  return full.dump();
}

Json parse_answer(const std::string& text) {
  if (trim(text).empty()) return nullptr;
  Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json(text) : parsed;
}

// A command to the manager with all that librados writes to when it is answered.
struct ManagerCall {
  std::shared_ptr<Handle> handle;
  std::string text;
  Answer answer;
  std::promise<int> result;

  void run() {
    const char* words[] = {text.c_str()};
    result.set_value(rados_mgr_command(handle->rados, words, 1, nullptr, 0, &answer.out,
                                       &answer.out_bytes, &answer.status, &answer.status_bytes));
  }
};

// One command to many OSDs, worked off by several threads. Those that an OSD keeps waiting are
// left to it, with all they need, when the time is over.
struct OsdCalls {
  std::shared_ptr<Handle> handle;
  std::vector<int> ids;
  std::string text;

  std::mutex mutex;
  std::condition_variable changed;
  size_t next = 0;
  size_t done = 0;
  bool closed = false;
  std::map<int, Json> answers;

  void work() {
    std::unique_lock lock(mutex);
    while (!closed && next < ids.size()) {
      const int id = ids[next++];
      lock.unlock();
      const char* words[] = {text.c_str()};
      Answer got;
      const int error = rados_osd_command(handle->rados, id, words, 1, nullptr, 0, &got.out,
                                          &got.out_bytes, &got.status, &got.status_bytes);
      Json answer = error < 0 ? Json() : parse_answer(got.out_text());
      lock.lock();
      ++done;
      if (error >= 0) answers[id] = std::move(answer);
      changed.notify_all();
    }
  }
};

std::string prefix_of(const Json& command) { return command.value("prefix", command.dump()); }

}  // namespace

std::string explain_connect_failure(const Access& access, int error, std::chrono::seconds timeout) {
  std::string where = name_of(access);
  switch (-error) {
    case ETIMEDOUT:
      return fmt::format(
          "{}: no answer from the monitors within {} s: are they running and reachable, and have "
          "they a quorum? (mon_host in the configuration file names them)",
          where, timeout.count());
    case ENOENT:
      return fmt::format(
          "{}: no key for {}: {}; name the file with the client's key, or write `keyring = FILE` "
          "into the configuration file's section [{}]",
          where, access.client,
          access.keyring.empty() ? "the keyring that the configuration file names (or "
                                   "/etc/ceph/ceph." +
                                       access.client + ".keyring) is missing or hasn't got it"
                                 : access.keyring.string() + " is missing or hasn't got it",
          access.client);
    case EACCES:
    case EPERM:
      return fmt::format(
          "{}: {} was refused: the cluster doesn't know this client, or its key is another "
          "(`ceph auth get {}` on an admin host shows it)",
          where, access.client, access.client);
    case EINVAL:
      return fmt::format(
          "{}: cannot connect as {}: invalid configuration or key (is mon_host set in it?)", where,
          access.client);
    default:
      return fmt::format("{}: cannot connect as {}: {}", where, access.client, strerror(-error));
  }
}

std::string explain_command_failure(const Access& access, const std::string& target,
                                    const std::string& prefix, int error,
                                    const std::string& status) {
  std::string what = fmt::format("{}: {} command \"{}\"", name_of(access), target, prefix);
  switch (-error) {
    case EACCES:
    case EPERM:
      return fmt::format(
          "{} is not permitted to {}: its caps are missing (see `ceph auth get {}`; lab needs mon, "
          "mgr and osd `allow *`, or run it as client.admin){}{}",
          what, access.client, access.client, status.empty() ? "" : ": ", status);
    case ETIMEDOUT:
      return fmt::format("{} got no answer in time: is the {} up, and not overloaded?", what,
                         target);
    case ENXIO:
      return fmt::format("{} failed: {} is down or doesn't exist", what, target);
    default:
      return fmt::format("{} failed: {}{}{}", what, strerror(-error), status.empty() ? "" : ": ",
                         status);
  }
}

struct Cluster::Impl {
  Access access;
  std::chrono::seconds timeout{10};
  std::shared_ptr<Handle> io;
  // Commands to managers and OSDs go over a handle of their own, made when first needed:
  // only an operation timeout bounds those to OSDs, and on the first handle it would
  // fail slow I/O too.
  std::mutex commands_mutex;
  std::shared_ptr<Handle> commands;

  enum class Use { io, commands };

  std::shared_ptr<Handle> open_handle(Use use) const {
    rados_t handle = nullptr;
    int error = rados_create2(&handle, access.cluster.c_str(), access.client.c_str(), 0);
    if (error < 0)
      throw environment_error("cannot make a client of cluster {} as {}: {}", access.cluster,
                              access.client, strerror(-error));
    try {
      configure(handle, use);
      error = rados_connect(handle);
      if (error < 0) throw environment_error("{}", explain_connect_failure(access, error, timeout));
    } catch (...) {
      rados_shutdown(handle);
      throw;
    }
    return std::make_shared<Handle>(handle);
  }

  void configure(rados_t handle, Use use) const {
    int error = rados_conf_read_file(handle, access.conf.empty() ? nullptr : access.conf.c_str());
    if (error < 0)
      throw environment_error(
          "{}: cannot read the Ceph configuration: {}; name it with its full path",
          access.conf.empty() ? "/etc/ceph/" + access.cluster + ".conf" : access.conf.string(),
          strerror(-error));
    set(handle, "client_mount_timeout", std::to_string(timeout.count()));
    // Not the monitors' timeout for the handle of commands: librados would use it for
    // those to managers too, and there return success and then write the late answer
    // into memory that is in use for something else (seen in 16.2).
    set(handle, use == Use::io ? "rados_mon_op_timeout" : "rados_osd_op_timeout",
        kCommandTimeoutSeconds);
    // What goes wrong is told by our own errors.
    set(handle, "log_to_stderr", "false");
    set(handle, "err_to_stderr", "false");
    if (!access.keyring.empty()) set(handle, "keyring", access.keyring.string());
  }

  void set(rados_t handle, const char* option, const std::string& value) const {
    int error = rados_conf_set(handle, option, value.c_str());
    if (error < 0)
      throw environment_error("{}: cannot set client option {} to \"{}\": {}", name_of(access),
                              option, value, strerror(-error));
  }

  std::shared_ptr<Handle> command_handle() {
    std::lock_guard lock(commands_mutex);
    if (!commands) commands = open_handle(Use::commands);
    return commands;
  }

  // A manager that doesn't answer is waited for without end: in a thread, which is left
  // to it, with all it needs, when the time is over.
  int send_mgr(const Json& command, std::chrono::milliseconds limit, Json* answer,
               std::string* status) {
    auto call = std::make_shared<ManagerCall>();
    call->handle = command_handle();
    call->text = with_format(command);
    std::future<int> result = call->result.get_future();
    std::thread thread([call] { call->run(); });
    if (result.wait_for(limit) != std::future_status::ready) {
      thread.detach();
      return -ETIMEDOUT;
    }
    thread.join();
    int error = result.get();
    *answer = parse_answer(call->answer.out_text());
    *status = call->answer.status_text();
    return error;
  }

  int send_osd(int id, const Json& command, Json* answer, std::string* status) {
    std::string text = with_format(command);
    const char* words[] = {text.c_str()};
    Answer got;
    int error = rados_osd_command(command_handle()->rados, id, words, 1, nullptr, 0, &got.out,
                                  &got.out_bytes, &got.status, &got.status_bytes);
    if (answer) *answer = parse_answer(got.out_text());
    if (status) *status = got.status_text();
    return error;
  }

  int send_mon(const Json& command, const std::string& input, Json* answer, std::string* status) {
    std::string text = with_format(command);
    const char* words[] = {text.c_str()};
    Answer got;
    int error = rados_mon_command(io->rados, words, 1, input.data(), input.size(), &got.out,
                                  &got.out_bytes, &got.status, &got.status_bytes);
    if (answer) *answer = parse_answer(got.out_text());
    if (status) *status = got.status_text();
    return error;
  }

  [[noreturn]] void fail(const std::string& target, const Json& command, int error,
                         const std::string& status) const {
    const std::string text =
        explain_command_failure(access, target, prefix_of(command), error, status);
    if (error == -EPERM || error == -EACCES) throw NotPermitted(text);
    throw environment_error("{}", text);
  }
};

Cluster::Cluster(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Cluster::~Cluster() = default;

std::unique_ptr<Cluster> Cluster::connect(const Access& access, std::chrono::seconds timeout) {
  auto impl = std::make_unique<Impl>();
  impl->access = access;
  impl->timeout = timeout;
  impl->io = impl->open_handle(Impl::Use::io);
  return std::unique_ptr<Cluster>(new Cluster(std::move(impl)));
}

const Access& Cluster::access() const { return impl_->access; }

std::string Cluster::fsid() const {
  char text[37] = {};
  int error = rados_cluster_fsid(impl_->io->rados, text, sizeof text);
  if (error < 0)
    throw environment_error("{}: cannot read the cluster's fsid: {}", name_of(impl_->access),
                            strerror(-error));
  return text;
}

Json Cluster::mon(const Json& command, const std::string& input) {
  Json answer;
  std::string status;
  int error = impl_->send_mon(command, input, &answer, &status);
  if (error < 0) impl_->fail("monitor", command, error, status);
  return answer;
}

Json Cluster::mgr(const Json& command, std::chrono::milliseconds timeout) {
  Json answer;
  std::string status;
  int error = impl_->send_mgr(command, timeout, &answer, &status);
  if (error < 0) impl_->fail("manager", command, error, status);
  return answer;
}

Json Cluster::osd(int id, const Json& command) {
  Json answer;
  std::string status;
  int error = impl_->send_osd(id, command, &answer, &status);
  if (error < 0) impl_->fail(fmt::format("osd.{}", id), command, error, status);
  return answer;
}

std::map<int, Json> Cluster::osds(const std::vector<int>& ids, const Json& command,
                                  std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  auto calls = std::make_shared<OsdCalls>();
  calls->handle = impl_->command_handle();
  calls->ids = ids;
  calls->text = with_format(command);
  for (size_t i = 0; i < std::min(kOsdsAtOnce, ids.size()); ++i)
    std::thread([calls] { calls->work(); }).detach();
  std::unique_lock lock(calls->mutex);
  calls->changed.wait_until(lock, deadline, [&] { return calls->done == calls->ids.size(); });
  calls->closed = true;
  return std::move(calls->answers);
}

int Cluster::try_mon(const Json& command, Json* answer, std::string* status) {
  return impl_->send_mon(command, {}, answer, status);
}

int Cluster::try_osd(int id, const Json& command, Json* answer, std::string* status) {
  return impl_->send_osd(id, command, answer, status);
}

std::vector<std::string> Cluster::pools() {
  int bytes = rados_pool_list(impl_->io->rados, nullptr, 0);
  std::vector<std::string> names;
  std::string buffer;
  // The list may grow between the two calls.
  while (bytes > static_cast<int>(buffer.size())) {
    buffer.resize(static_cast<size_t>(bytes) + 64);
    bytes = rados_pool_list(impl_->io->rados, buffer.data(), buffer.size());
  }
  if (bytes < 0)
    throw environment_error("{}: cannot list the pools: {}", name_of(impl_->access),
                            strerror(-bytes));
  for (const char* at = buffer.c_str(); *at != '\0'; at += names.back().size() + 1)
    names.emplace_back(at);
  return names;
}

bool Cluster::has_pool(const std::string& pool) {
  std::vector<std::string> all = pools();
  return std::find(all.begin(), all.end(), pool) != all.end();
}

std::string Cluster::client_option(const std::string& name) const {
  std::string value(256, '\0');
  int error;
  while ((error = rados_conf_get(impl_->io->rados, name.c_str(), value.data(), value.size())) ==
         -ENAMETOOLONG)
    value.resize(value.size() * 2);
  if (error < 0)
    throw environment_error("{}: cannot read client option {}: {}", name_of(impl_->access), name,
                            strerror(-error));
  value.resize(strlen(value.c_str()));
  return value;
}

void* Cluster::rados() const { return impl_->io->rados; }

void* Cluster::bounded_rados() { return impl_->command_handle()->rados; }

}  // namespace lab::ceph
