#include "runner/experiment/cluster_session.h"

#include <chrono>
#include <utility>

#include "runner/daemons/sandbox_driver.h"
#include "runner/daemons/systemd_driver.h"
#include "runner/sandbox/sandbox.h"
#include "runner/tuning/daemon_board.h"
#include "runner/tuning/journal.h"

namespace lab {

namespace {

fs::path directory_of(const SandboxSpec& spec, const fs::path& asked) {
  if (!asked.empty()) return asked;
  return spec.dir.empty() ? sandbox::default_directory() : spec.dir;
}

}  // namespace

void ClusterSession::connect(const Inventory& inventory) {
  ceph::Access access;
  access.cluster = inventory.cluster;
  access.conf = inventory.conf;
  access.keyring = inventory.keyring;
  access.client = inventory.client;
  cluster_ = ceph::Cluster::connect(access);
  if (inventory.daemons == Inventory::Daemons::systemd)
    driver_address_ = daemons::SystemdDriver::address_of(cluster_->fsid());
}

void ClusterSession::use(const sandbox::Sandbox& sandbox) {
  use_.emplace(sandbox::Use::join(sandbox.layout()));
  cluster_ = ceph::Cluster::connect(sandbox.access());
  driver_address_ = {{"sandbox", sandbox.layout().dir.string()}};
}

ClusterSession ClusterSession::open(const Inventory& inventory, const fs::path& sandbox_dir,
                                    bool keep, const Say& say) {
  ClusterSession session(say);
  if (!inventory.sandbox) {
    session.connect(inventory);
    return session;
  }
  sandbox::Options options;
  options.dir = directory_of(*inventory.sandbox, sandbox_dir);
  if (!sandbox::Sandbox::find(options.dir))
    say(keep ? "no sandbox is running: starting one"
             : "no sandbox is running: starting one (and taking it down at the end; "
               "--keep-sandbox leaves it up)");
  const auto begin = std::chrono::steady_clock::now();
  sandbox::Sandbox sandbox = sandbox::Sandbox::up(options, say);
  if (sandbox.started_now()) {
    session.start_seconds_ =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!keep) session.started_dir_ = sandbox.layout().dir;
  }
  session.use(sandbox);
  return session;
}

ClusterSession ClusterSession::open_running(const Inventory& inventory, const fs::path& sandbox_dir,
                                            const Say& say) {
  ClusterSession session(say);
  if (!inventory.sandbox) {
    session.connect(inventory);
    return session;
  }
  const fs::path directory = directory_of(*inventory.sandbox, sandbox_dir);
  std::optional<sandbox::Sandbox> found = sandbox::Sandbox::find(directory);
  if (!found) throw environment_error("{}: no sandbox is running there", directory.string());
  // A daemon that has ended since it got another environment would end again with it.
  if (const auto changes = read_journal(journal_path(found->state().fsid))) {
    daemons::SandboxDriver driver(*found);
    DaemonBoard board(driver);
    for (const Undo& undo : changes->undos)
      if (acts_at_start(undo.knob.kind)) board.set(undo.knob, undo.before);
  }
  // Daemons that have ended since are started again.
  sandbox::Options options;
  options.dir = directory;
  session.use(sandbox::Sandbox::up(options, say));
  return session;
}

std::unique_ptr<daemons::Driver> ClusterSession::driver() {
  return driver_address_.is_null() ? nullptr : daemons::open_driver(driver_address_);
}

ClusterSession::ClusterSession(ClusterSession&& other) noexcept
    : cluster_(std::move(other.cluster_)),
      driver_address_(std::move(other.driver_address_)),
      use_(std::move(other.use_)),
      started_dir_(std::exchange(other.started_dir_, {})),
      start_seconds_(other.start_seconds_),
      say_(std::move(other.say_)) {}

ClusterSession::~ClusterSession() {
  try {
    close();
  } catch (const std::exception& e) {
    say_(
        fmt::format("the sandbox could not be taken down: {}; lab sandbox down does it", e.what()));
  }
}

void ClusterSession::close() {
  cluster_.reset();
  if (started_dir_.empty()) return;
  const fs::path dir = std::exchange(started_dir_, {});
  if (!use_->close_to_others()) {
    say_(
        fmt::format("another lab uses the sandbox: it stays up; lab sandbox down --dir={} takes it "
                    "down",
                    dir.string()));
    return;
  }
  sandbox::Sandbox::down(dir, say_);
}

}  // namespace lab
