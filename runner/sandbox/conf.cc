#include "runner/sandbox/conf.h"

#include <fmt/format.h>

#include <algorithm>

namespace lab::sandbox {
namespace {

// One line a setting, in sections, with room for a word about why.
class Conf {
 public:
  void section(const std::string& name) { text_ += fmt::format("\n[{}]\n", name); }
  void comment(const std::string& words) { text_ += fmt::format("# {}\n", words); }
  template <typename Value>
  void set(const std::string& option, const Value& value) {
    text_ += fmt::format("{} = {}\n", option, value);
  }
  std::string text() const { return text_; }

 private:
  std::string text_ = "# Written by lab for one sandbox; `lab sandbox down` removes it.\n";
};

void add_global(Conf& conf, const Layout& layout, const Options& options, const Ports& ports,
                const std::string& fsid) {
  conf.section("global");
  conf.set("fsid", fsid);
  conf.set("mon_host",
           fmt::format("[v2:127.0.0.1:{},v1:127.0.0.1:{}]", ports.mon_v2(), ports.mon_v1()));
  conf.set("auth_cluster_required", "cephx");
  conf.set("auth_service_required", "cephx");
  conf.set("auth_client_required", "cephx");
  conf.set("ms_bind_ipv6", "false");
  conf.set("run_dir", layout.run().string());
  conf.set("crash_dir", layout.crash().string());
  conf.comment("With two of three copies' places the cluster gets clean with an OSD out.");
  conf.set("osd_pool_default_size", replicas(options));
  conf.set("osd_pool_default_min_size", 1);
  conf.set("osd_pool_default_pg_num", 8);
  conf.set("osd_pool_default_pgp_num", 8);
  conf.set("osd_pool_default_pg_autoscale_mode", "off");
  conf.comment(fmt::format("Failure domain: {}.", options.hosts > 1 ? "host" : "OSD"));
  conf.set("osd_crush_chooseleaf_type", options.hosts > 1 ? 1 : 0);
  conf.comment("Statistics of PGs each second: waiting for a quiet cluster is shorter.");
  conf.set("mgr_stats_period", 1);
}

void add_mon(Conf& conf, const Layout& layout, const Options& options) {
  conf.section("mon");
  conf.set("mon_data", layout.data("mon.$id").string());
  conf.set("mon_cluster_log_file", (layout.logs() / "ceph.log").string());
  conf.set("auth_allow_insecure_global_id_reclaim", "false");
  conf.set("mon_allow_pool_delete", "true");
  conf.set("mon_allow_pool_size_one", "true");
  if (replicas(options) == 1) conf.set("mon_warn_on_pool_no_redundancy", "false");
  conf.set("mon_max_pg_per_osd", 500);
  conf.comment("One monitor decides alone: nothing is won by collecting proposals for a second.");
  conf.set("paxos_propose_interval", 0.1);
  conf.set("paxos_min_wait", 0.02);
  conf.set("mon_tick_interval", 1);
  conf.set("mon_mgr_digest_period", 1);
  conf.comment("All OSDs are on one host: one of them is enough to report another down.");
  conf.set("mon_osd_min_down_reporters", 1);
  conf.set("mon_osd_reporter_subtree_level", "osd");
  conf.comment("The host's disk is watched by lab; a sandbox isn't unhealthy on a full one.");
  conf.set("mon_data_avail_warn", 2);
  conf.set("mon_data_avail_crit", 1);
  conf.set("mgr_initial_modules", "iostat");
}

void add_mgr(Conf& conf, const Layout& layout) {
  conf.section("mgr");
  conf.set("mgr_data", layout.data("mgr.$id").string());
  conf.set("mgr_tick_period", 1);
  conf.comment("Python modules that a sandbox has no use for: each takes time and memory.");
  conf.set("mgr_disabled_modules",
           "alerts,diskprediction_local,influx,insights,localpool,mirroring,nfs,osd_perf_query,"
           "osd_support,prometheus,restful,selftest,snap_schedule,stats,telegraf,"
           "test_orchestrator,zabbix");
}

// Whatever kind of disk holds the files (virtual disks often call themselves
// rotational), the OSDs behave as on an SSD: no sleeps, and as many shards.
void add_ssd_behaviour(Conf& conf) {
  conf.comment("As on an SSD, whatever the disk says of itself. The first option is BlueStore's;");
  conf.comment("the OSD asks the disk again, so its values for others are made the same.");
  conf.set("bluestore_debug_enforce_settings", "ssd");
  conf.set("osd_op_num_shards_hdd", 8);
  conf.set("osd_op_num_threads_per_shard_hdd", 2);
  conf.set("osd_recovery_max_active_hdd", 10);
  conf.set("osd_recovery_sleep_hdd", 0);
  conf.set("osd_recovery_sleep_hybrid", 0);
  conf.set("osd_snap_trim_sleep_hdd", 0);
  conf.set("osd_snap_trim_sleep_hybrid", 0);
  conf.set("osd_delete_sleep_hdd", 1);
  conf.set("osd_delete_sleep_hybrid", 1);
  conf.set("osd_mclock_cost_per_io_usec_hdd", 50);
  conf.set("osd_mclock_cost_per_byte_usec_hdd", 0.011);
  conf.set("osd_mclock_max_capacity_iops_hdd", 21500);
}

void add_osd(Conf& conf, const Layout& layout, const Options& options) {
  conf.section("osd");
  conf.set("osd_data", layout.data("osd.$id").string());
  conf.set("osd_objectstore", "bluestore");
  conf.set("bluestore_block_size", options.osd_bytes);
  conf.comment("Fixed caches: the tuner of osd_memory_target works in builds with tcmalloc only.");
  conf.set("osd_memory_target", uint64_t{1} << 30);
  conf.set("bluestore_cache_autotune", "false");
  conf.set("bluestore_cache_size", uint64_t{512} << 20);
  add_ssd_behaviour(conf);
}

void add_each_osd(Conf& conf, const Options& options, const Ports& ports) {
  for (int id = 0; id < options.osds; ++id) {
    conf.section(fmt::format("osd.{}", id));
    PortRange range = ports.osd(id);
    conf.set("ms_bind_port_min", range.first);
    conf.set("ms_bind_port_max", range.last);
    conf.set("crush_location", fmt::format("root=default host={}", crush_host(options, id)));
  }
}

}  // namespace

int replicas(const Options& options) {
  return std::min(2, options.hosts > 1 ? options.hosts : options.osds);
}

std::string crush_host(const Options& options, int osd) {
  return options.hosts > 1 ? fmt::format("sandbox-{}", osd % options.hosts) : "sandbox";
}

std::string ceph_conf(const Layout& layout, const Options& options, const Ports& ports,
                      const std::string& fsid) {
  Conf conf;
  add_global(conf, layout, options, ports, fsid);
  add_mon(conf, layout, options);
  add_mgr(conf, layout);
  add_osd(conf, layout, options);
  add_each_osd(conf, options, ports);
  conf.section("mgr.a");
  conf.set("ms_bind_port_min", ports.mgr().first);
  conf.set("ms_bind_port_max", ports.mgr().last);
  for (const char* kind : {"mon", "mgr", "osd"}) {
    conf.section(kind);
    conf.set("keyring", layout.data("$type.$id").string() + "/keyring");
    conf.set("public_addr", "127.0.0.1");
    conf.set("cluster_addr", "127.0.0.1");
    conf.set("log_file", layout.log("$type.$id").string());
    conf.set("admin_socket", layout.socket("$type.$id").string());
  }
  conf.section("client");
  conf.set("keyring", layout.keyring().string());
  if (options.rgw) {
    conf.section("client.rgw.a");
    conf.set("keyring", layout.data("rgw.a").string() + "/keyring");
    conf.set("rgw_data", layout.data("rgw.a").string());
    conf.set("log_file", layout.log("rgw.a").string());
    conf.set("admin_socket", layout.socket("rgw.a").string());
  }
  return conf.text();
}

}  // namespace lab::sandbox
