#include "runner/sandbox/bringup.h"

#include <sys/stat.h>

#include <algorithm>

#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/ceph/health.h"
#include "runner/sandbox/conf.h"
#include "runner/sandbox/daemon.h"
#include "runner/sandbox/keys.h"
#include "runner/sandbox/osd_store.h"

namespace lab::sandbox {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kToolLimit{60};
constexpr seconds kStepLimit{90};

struct Pool {
  const char* name;
  const char* application;
  int pg_num;
};

// radosgw would make its own pools one after the other, and each would then have to peer.
constexpr Pool kRbdPools[] = {{"rbd", "rbd", 32}};
constexpr Pool kRgwPools[] = {{".rgw.root", "rgw", 4},
                              {"default.rgw.log", "rgw", 4},
                              {"default.rgw.control", "rgw", 4},
                              {"default.rgw.meta", "rgw", 4},
                              {"default.rgw.buckets.index", "rgw", 8},
                              {"default.rgw.buckets.data", "rgw", 16},
                              {"default.rgw.buckets.non-ec", "rgw", 4}};

std::string osd_name(int id) { return fmt::format("osd.{}", id); }

void make_private_directory(const fs::path& path) {
  make_directories(path);
  chmod(path.c_str(), 0700);
}

bool says_port_taken(const std::string& words) {
  return words.find("Address already in use") != std::string::npos ||
         words.find("unable to bind") != std::string::npos;
}

}  // namespace

ceph::Access access_of(const Layout& layout) {
  return {.conf = layout.conf(), .keyring = layout.keyring()};
}

Bringup::Bringup(const Layout& layout, State& state, Log log)
    : layout_(layout), state_(state), log_(std::move(log)) {}

void Bringup::run() {
  write_files();
  make_osd_stores();
  make_monitor();
  connect();
  add_manager_and_osds();
  make_pools();
  if (state_.options.rgw) {
    start_gateway();
    make_s3_user();
  }
  wait_for_health();
}

void Bringup::write_files() {
  for (const fs::path& dir : {layout_.run(), layout_.logs(), layout_.crash()})
    make_private_directory(dir);
  log_(fmt::format("allocating {} files of {}", state_.options.osds,
                   format_bytes(state_.options.osd_bytes)));
  preallocate_blocks(layout_, state_.options.osds, state_.options.osd_bytes);
  write_file_atomically(layout_.conf(),
                        ceph_conf(layout_, state_.options, state_.ports, state_.fsid));

  KeyringEntry mon{"mon.", random_cephx_key(), {{"mon", "allow *"}}};
  KeyringEntry admin{
      "client.admin",
      random_cephx_key(),
      {{"mon", "allow *"}, {"mgr", "allow *"}, {"osd", "allow *"}, {"mds", "allow *"}}};
  KeyringEntry mgr{"mgr.a",
                   random_cephx_key(),
                   {{"mon", "allow profile mgr"}, {"osd", "allow *"}, {"mds", "allow *"}}};
  // The monitor takes all of them over when it is made: no command for each daemon.
  std::vector<KeyringEntry> all = {mon, admin, mgr};
  auto keep = [&](const std::string& daemon, const KeyringEntry& entry) {
    make_private_directory(layout_.data(daemon));
    write_file_atomically(layout_.data(daemon) / "keyring",
                          keyring_text({{entry.entity, entry.key, {}}}), 0600);
  };
  keep("mgr.a", mgr);
  for (int id = 0; id < state_.options.osds; ++id) {
    all.push_back(
        {osd_name(id),
         random_cephx_key(),
         {{"mon", "allow profile osd"}, {"mgr", "allow profile osd"}, {"osd", "allow *"}}});
    keep(osd_name(id), all.back());
    // The class that the OSD reports, whatever the disk calls itself.
    write_file_atomically(layout_.data(osd_name(id)) / "crush_device_class", "ssd\n");
  }
  if (state_.options.rgw) {
    all.push_back({"client.rgw.a",
                   random_cephx_key(),
                   {{"mon", "allow rw"}, {"mgr", "allow rw"}, {"osd", "allow rwx"}}});
    keep("rgw.a", all.back());
  }
  write_file_atomically(layout_.keyring(), keyring_text({admin}), 0600);
  write_file_atomically(layout_.dir / "mon.keyring", keyring_text(all), 0600);
  run_checked(tool({"monmaptool", "--create", "--clobber", "--fsid", state_.fsid, "--addv", "a",
                    fmt::format("[v2:127.0.0.1:{},v1:127.0.0.1:{}]", state_.ports.mon_v2(),
                                state_.ports.mon_v1()),
                    layout_.monmap().string()},
                   state_),
              kToolLimit);
}

void Bringup::make_osd_stores() {
  log_("making the OSDs' stores and the monitor");
  for (int id = 0; id < state_.options.osds; ++id) {
    const std::string uuid = random_uuid();
    write_file_atomically(layout_.data(osd_name(id)) / "fsid", uuid + "\n");
    osd_stores_.push_back(Child::start(make_store_command(id, uuid, layout_, state_)));
  }
}

void Bringup::make_monitor() {
  make_private_directory(layout_.data("mon.a"));
  run_checked(tool({"ceph-mon", "--mkfs", "-i", "a", "-c", layout_.conf().string(), "--monmap",
                    layout_.monmap().string(), "--keyring", (layout_.dir / "mon.keyring").string()},
                   state_),
              kToolLimit);
  fs::remove(layout_.dir / "mon.keyring");
  start_daemon("mon.a");
}

void Bringup::start_daemon(const std::string& name) {
  check_interrupt();
  state_.daemons.push_back(describe_daemon(name, layout_, state_));
  start(state_.daemons.back(), state_, layout_);
}

void Bringup::check_daemons() const {
  for (const Daemon& daemon : state_.daemons) {
    if (is_running(daemon.process)) continue;
    std::string words = last_words(daemon.name, layout_);
    std::string text =
        fmt::format("{} ended while the sandbox was started:\n{}", daemon.name, words);
    if (says_port_taken(words)) throw PortTaken(text);
    throw environment_error("{}", text);
  }
}

template <typename Condition>
void Bringup::wait_until(const std::string& what, seconds limit, Condition condition) {
  auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    check_daemons();
    if (std::chrono::steady_clock::now() >= deadline)
      throw environment_error("the sandbox didn't come up: still waiting for {} after {} s", what,
                              limit.count());
    interruptible_sleep(milliseconds(50));
  }
}

void Bringup::connect() {
  wait_until("the monitor's port", kStepLimit, [&] { return is_port_open(state_.ports.mon_v2()); });
  cluster_ = ceph::Cluster::connect(access_of(layout_), seconds(30));
}

void Bringup::add_manager_and_osds() {
  // Before the manager's modules read them (and are known to the monitor: hence force): nothing
  // shall move data or make pools by itself.
  for (const auto& [option, value] :
       {std::pair{"mgr/devicehealth/enable_monitoring", "false"}, {"mgr/balancer/active", "false"}})
    cluster_->mon({{"prefix", "config set"},
                   {"who", "mgr"},
                   {"name", option},
                   {"value", value},
                   {"force", true}});
  log_("starting manager and OSDs");
  start_daemon("mgr.a");
  for (int id = 0; id < state_.options.osds; ++id) {
    std::string uuid(trim(read_file(layout_.data(osd_name(id)) / "fsid")));
    cluster_->mon({{"prefix", "osd new"}, {"uuid", uuid}, {"id", id}});
  }
  for (int id = 0; id < state_.options.osds; ++id) {
    std::optional<int> status;
    wait_until(fmt::format("the store of osd.{}", id), kStepLimit, [&] {
      status = osd_stores_[static_cast<size_t>(id)].wait(milliseconds(0));
      return status.has_value();
    });
    if (*status != 0)
      throw environment_error("ceph-osd --mkfs of osd.{} failed with status {}:\n{}", id, *status,
                              last_words(osd_name(id), layout_));
    start_daemon(osd_name(id));
  }
}

void Bringup::make_pools() {
  std::vector<Pool> pools(std::begin(kRbdPools), std::end(kRbdPools));
  if (state_.options.rgw) pools.insert(pools.end(), std::begin(kRgwPools), std::end(kRgwPools));
  for (const Pool& pool : pools) {
    check_interrupt();
    cluster_->mon({{"prefix", "osd pool create"},
                   {"pool", pool.name},
                   {"pg_num", pool.pg_num},
                   {"pgp_num", pool.pg_num}});
    cluster_->mon({{"prefix", "osd pool application enable"},
                   {"pool", pool.name},
                   {"app", pool.application}});
  }
  wait_until("the OSDs to be up", kStepLimit, [&] {
    Json stat = cluster_->mon({{"prefix", "osd stat"}});
    return stat.at("num_up_osds") == state_.options.osds;
  });
}

void Bringup::start_gateway() {
  log_("starting the gateway");
  // Not in the file, which would mask what a level sets. As shipped: without tcp_nodelay=1 small
  // GETs wait for a delayed ACK.
  cluster_->mon({{"prefix", "config set"},
                 {"who", "client.rgw.a"},
                 {"name", "rgw_frontends"},
                 {"value", fmt::format("beast endpoint=127.0.0.1:{}", state_.ports.rgw())}});
  start_daemon("rgw.a");
  wait_until("the gateway's port", kStepLimit, [&] { return is_port_open(state_.ports.rgw()); });
}

void Bringup::make_s3_user() {
  // radosgw-admin makes the keys itself, so that no argument shows them.
  std::string answer =
      run_checked(tool({"radosgw-admin", "-c", layout_.conf().string(), "-n", "client.rgw.a",
                        "user", "create", "--uid", "lab", "--display-name", "lab"},
                       state_),
                  kToolLimit);
  Json user = Json::parse(answer, nullptr, false);
  if (user.is_discarded() || !user.contains("keys") || user.at("keys").empty())
    throw environment_error("radosgw-admin made no S3 keys; it said: {}", answer);
  const Json& key = user.at("keys").at(0);
  state_.s3 = S3User{fmt::format("http://127.0.0.1:{}", state_.ports.rgw()), "lab",
                     key.at("access_key"), key.at("secret_key")};
  save(state_, layout_);
}

void Bringup::wait_for_health() {
  log_("waiting for health");
  constexpr seconds limit{60};
  // Once all PGs are clean, what else is complained of either goes away soon or is to stay.
  constexpr seconds patience{10};
  auto deadline = std::chrono::steady_clock::now() + limit;
  std::optional<std::chrono::steady_clock::time_point> clean_since;
  for (;;) {
    check_daemons();
    ceph::Activity activity = ceph::read_activity(*cluster_);
    const ceph::Health& health = activity.health;
    bool clean = ceph::all_clean(activity.pgs);
    auto now = std::chrono::steady_clock::now();
    if (clean && health.status == "HEALTH_OK") return;
    if (!clean)
      clean_since.reset();
    else if (!clean_since)
      clean_since = now;
    bool stays = clean_since && now - *clean_since > patience;
    if (stays || now >= deadline) {
      std::string reasons = join(health.reasons, "; ");
      if (!clean || health.status == "HEALTH_ERR")
        throw environment_error("the sandbox's cluster didn't get healthy within {} s: {}{}",
                                limit.count(), health.status,
                                reasons.empty() ? "" : ": " + reasons);
      log_(fmt::format("HEALTH_WARN: {}", reasons));
      return;
    }
    interruptible_sleep(milliseconds(100));
  }
}

}  // namespace lab::sandbox
