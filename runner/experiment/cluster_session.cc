#include "runner/experiment/cluster_session.h"

#include <chrono>
#include <utility>

#include "runner/sandbox/sandbox.h"

namespace lab {

ClusterSession ClusterSession::open(const Inventory& inventory, const fs::path& sandbox_dir,
                                    bool keep, const Say& say) {
  ClusterSession session(say);
  if (!inventory.sandbox) {
    ceph::Access access;
    access.cluster = inventory.cluster;
    access.conf = inventory.conf;
    access.keyring = inventory.keyring;
    access.client = inventory.client;
    session.cluster_ = ceph::Cluster::connect(access);
    return session;
  }
  sandbox::Options options;
  options.dir = sandbox_dir.empty() ? inventory.sandbox->dir : sandbox_dir;
  if (options.dir.empty()) options.dir = sandbox::default_directory();
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
  session.use_.emplace(sandbox::Use::join(sandbox.layout()));
  session.cluster_ = ceph::Cluster::connect(sandbox.access());
  return session;
}

ClusterSession::ClusterSession(ClusterSession&& other) noexcept
    : cluster_(std::move(other.cluster_)),
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
