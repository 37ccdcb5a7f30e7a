// Options of real daemons, and the monitors' configuration: the sandbox that the tests
// share, left as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "runner/ceph/config_entries.h"
#include "runner/ceph/daemon_options.h"
#include "runner/ceph/health.h"
#include "runner/ceph/option_help.h"
#include "runner/hosts/find_library.h"
#include "runner/hosts/thread_cache.h"
#include "tests/ceph/shared_sandbox.h"

namespace lab::ceph {
namespace {

using std::chrono::seconds;

class RealOptions : public testing::Test {
 protected:
  // Whatever a test has added or changed in the monitors is put back.
  void TearDown() override {
    for (const ConfigEntry& entry : read_config_dump(*cluster_))
      if (std::find(before_.begin(), before_.end(), entry) == before_.end())
        cluster_->mon({{"prefix", "config rm"}, {"who", who(entry)}, {"name", entry.name}});
    for (const ConfigEntry& entry : before_) set(who(entry), entry.name, entry.value);
    EXPECT_EQ(read_config_dump(*cluster_), before_);
  }

  void set(const std::string& section, const std::string& name, const std::string& value) {
    cluster_->mon({{"prefix", "config set"}, {"who", section}, {"name", name}, {"value", value}});
  }
  DaemonOption of_osd(int id, const std::string& name) {
    return read_osd_options(*cluster_, id, {name}).at(name);
  }
  // What the monitors send takes a moment to arrive.
  static DaemonOption wait_for(const std::string& source,
                               const std::function<DaemonOption()>& read) {
    DaemonOption found = read();
    for (int tries = 0; tries < 100 && found.source != source; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      found = read();
    }
    return found;
  }
  sandbox::Sandbox sandbox_ = shared_sandbox();
  std::unique_ptr<Cluster> cluster_ = Cluster::connect(sandbox_.access());
  std::vector<ConfigEntry> before_ = read_config_dump(*cluster_);
};

TEST_F(RealOptions, OfAnOsdWithTheirSources) {
  EXPECT_EQ(of_osd(0, "osd_max_backfills").source, "default");
  EXPECT_EQ(of_osd(0, "osd_memory_target").source, "file");
  set("osd.0", "osd_max_backfills", "3");
  EXPECT_EQ(wait_for("mon", [&] { return of_osd(0, "osd_max_backfills"); }),
            (DaemonOption{"3", "mon"}));
  EXPECT_EQ(of_osd(1, "osd_max_backfills").source, "default");
  // The file of the sandbox is stronger: what the monitors have is not in force.
  const DaemonOption target = of_osd(0, "osd_memory_target");
  set("osd.0", "osd_memory_target", "2G");
  std::this_thread::sleep_for(seconds(1));
  EXPECT_EQ(of_osd(0, "osd_memory_target"), target);

  cluster_->osd(0, {{"prefix", "config set"}, {"var", "osd_max_backfills"}, {"val", {"5"}}});
  EXPECT_EQ(of_osd(0, "osd_max_backfills"), (DaemonOption{"5", "override"}));
  cluster_->osd(0, {{"prefix", "config unset"}, {"var", "osd_max_backfills"}});
  EXPECT_EQ(of_osd(0, "osd_max_backfills"), (DaemonOption{"3", "mon"}));

  const std::string text = error_of([&] { of_osd(0, "osd_max_backfils"); });
  EXPECT_NE(text.find("osd.0"), std::string::npos) << text;
  EXPECT_NE(text.find("osd_max_backfils"), std::string::npos) << text;
}

TEST_F(RealOptions, OfEveryDaemonThroughItsSocket) {
  for (const sandbox::DaemonStatus& daemon : sandbox_.daemons()) {
    const fs::path socket = sandbox_.layout().socket(daemon.name);
    const DaemonOptions found = read_local_options(socket, {"mon_host", "osd_pool_default_pg_num"});
    EXPECT_EQ(found.at("mon_host").source, "file") << daemon.name;
    const std::string text = error_of([&] { read_local_options(socket, {"no_such_option"}); });
    EXPECT_NE(text.find("no_such_option"), std::string::npos) << text;
  }
  const fs::path gateway = sandbox_.layout().socket("rgw.a");
  auto read = [&] {
    return read_local_options(gateway, {"rgw_max_chunk_size"}).at("rgw_max_chunk_size");
  };
  EXPECT_EQ(read().source, "default");
  set("client.rgw.a", "rgw_max_chunk_size", "1M");
  EXPECT_EQ(wait_for("mon", read), (DaemonOption{"1048576", "mon"}));
}

TEST_F(RealOptions, MClockMasksWhatIsSet) {
  set("osd.1", "osd_op_queue", "mclock_scheduler");
  sandbox_.restart_daemon("osd.1");
  EXPECT_EQ(of_osd(1, "osd_op_queue"), (DaemonOption{"mclock_scheduler", "mon"}));
  set("osd.1", "osd_max_backfills", "7");
  std::this_thread::sleep_for(seconds(1));
  cluster_->osd(1, {{"prefix", "config set"}, {"var", "osd_max_backfills"}, {"val", {"5"}}});
  EXPECT_EQ(of_osd(1, "osd_max_backfills"), (DaemonOption{"1000", "override"}));

  cluster_->mon({{"prefix", "config rm"}, {"who", "osd.1"}, {"name", "osd_op_queue"}});
  sandbox_.restart_daemon("osd.1");
  EXPECT_EQ(of_osd(1, "osd_op_queue"), (DaemonOption{"wpq", "default"}));
  EXPECT_EQ(of_osd(1, "osd_max_backfills"), (DaemonOption{"7", "mon"}));
  wait_quiet(*cluster_, seconds(60));
}

TEST_F(RealOptions, EntriesOfTheMonitorsWithTheirMasks) {
  for (const char* section : {"global", "osd", "osd/class:ssd", "osd.1", "client.rgw.a"})
    set(section, "osd_scrub_sleep", "0.1");
  std::vector<std::string> found;
  for (const ConfigEntry& entry : read_config_dump(*cluster_))
    if (entry.name == "osd_scrub_sleep") found.push_back(who(entry));
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found,
            (std::vector<std::string>{"client.rgw.a", "global", "osd", "osd.1", "osd/class:ssd"}));
}

TEST_F(RealOptions, WhatNeedsARestart) {
  EXPECT_FALSE(read_option_help(*cluster_, "osd_op_queue")->can_update_at_runtime);
  EXPECT_TRUE(read_option_help(*cluster_, "osd_max_backfills")->has_runtime_flag);
  const std::optional<OptionHelp> threads = read_option_help(*cluster_, "rgw_thread_pool_size");
  ASSERT_TRUE(threads);
  EXPECT_TRUE(threads->can_update_at_runtime);
  EXPECT_FALSE(threads->has_runtime_flag);
  EXPECT_FALSE(read_option_help(*cluster_, "no_such_option"));
}

// What lab says of a value before it is set, and what the monitors say when it is.
TEST_F(RealOptions, MistakesAreWhatTheMonitorsRefuse) {
  const std::map<std::string, std::vector<std::string>> values = {
      {"osd_memory_target",
       {"2Gi", "2G", "2GB", "+2G", "4294967296", "2g", "2048MiB", "1.5G", " 2G", "2B", "0x80000000",
        "-1", "", "1e10", "1000"}},
      {"osd_max_backfills",
       {"10K", "1M", "+3", "10Ki", "10k", "-1", "1.0", "", "5m", " 5", "0x10"}},
      {"osd_heartbeat_grace", {"-5", "5K", "5Ki", "5B"}},
      {"osd_scrub_sleep", {"0.5", ".5", "1e-1", "2", "0.5x", "", "1K"}},
      {"bluestore_cache_autotune", {"true", "False", "1", "0", "yes", "on", "x", ""}},
      {"osd_op_queue", {"wpq", "mclock_scheduler", "mclock", ""}},
      {"mon_max_pg_per_osd", {"1", "0"}},
  };
  for (const auto& [name, tried] : values) {
    const std::optional<OptionHelp> help = read_option_help(*cluster_, name);
    ASSERT_TRUE(help) << name;
    for (const std::string& value : tried) {
      std::string status;
      // For a client that there isn't: no daemon gets it.
      const int error = cluster_->try_mon(
          {{"prefix", "config set"}, {"who", "client.lab-test"}, {"name", name}, {"value", value}},
          nullptr, &status);
      EXPECT_EQ(option_mistake(*help, value).has_value(), error != 0)
          << name << "=\"" << value << "\": " << status;
    }
  }
}

TEST_F(RealOptions, TheThreadCacheInForceInAnOsd) {
  fs::path library;
  try {
    library = hosts::find_library("tcmalloc");
  } catch (const Error& e) {
    GTEST_SKIP() << e.what();
  }
  restart_with(sandbox_, "osd.2",
               {{"LD_PRELOAD", library.string()}, {hosts::kThreadCacheVariable, "128MB"}});
  auto in_force = [&] {
    return hosts::read_thread_cache(sandbox_.state().daemon("osd.2")->process.pid);
  };
  ASSERT_TRUE(in_force());
  EXPECT_EQ(in_force()->overall_bytes, hosts::thread_cache_in_force("128MB"));
  EXPECT_EQ(in_force()->overall_bytes, 524288u);
  restart_with(sandbox_, "osd.2", {});
  EXPECT_FALSE(in_force());
  wait_quiet(*cluster_, seconds(60));
}

}  // namespace
}  // namespace lab::ceph
