#include "runner/experiment/cluster_session.h"

#include <chrono>
#include <utility>

#include "runner/sandbox/sandbox.h"

namespace lab {

ClusterSession ClusterSession::open(const Inventory& inventory, const fs::path& sandbox_dir,
                                    const Say& say) {
  if (!inventory.sandbox) {
    ceph::Access access;
    access.cluster = inventory.cluster;
    access.conf = inventory.conf;
    access.keyring = inventory.keyring;
    access.client = inventory.client;
    return {ceph::Cluster::connect(access), {}, 0, say};
  }
  sandbox::Options options;
  options.dir = sandbox_dir.empty() ? inventory.sandbox->dir : sandbox_dir;
  const auto begin = std::chrono::steady_clock::now();
  std::optional<sandbox::Sandbox> running =
      sandbox::Sandbox::find(options.dir.empty() ? sandbox::default_directory() : options.dir);
  if (!running || !running->all_running())
    say("no sandbox is running: starting one (and taking it down at the end; --keep-sandbox "
        "leaves it up)");
  sandbox::Sandbox sandbox = sandbox::Sandbox::up(options, say);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const bool started = sandbox.started_now();
  ClusterSession session(nullptr, started ? sandbox.layout().dir : fs::path(),
                         started ? seconds : 0, say);
  session.cluster_ = ceph::Cluster::connect(sandbox.access());
  return session;
}

ClusterSession::ClusterSession(std::unique_ptr<ceph::Cluster> cluster, fs::path started_dir,
                               double start_seconds, Say say)
    : cluster_(std::move(cluster)),
      started_dir_(std::move(started_dir)),
      start_seconds_(start_seconds),
      say_(std::move(say)) {}

ClusterSession::ClusterSession(ClusterSession&& other) noexcept
    : cluster_(std::move(other.cluster_)),
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
  sandbox::Sandbox::down(dir, say_);
}

}  // namespace lab
