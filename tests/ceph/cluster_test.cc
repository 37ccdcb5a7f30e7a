// runner/ceph on a real cluster: the sandbox that the tests share.
#include "runner/ceph/cluster.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "runner/ceph/background.h"
#include "runner/ceph/conditions.h"
#include "runner/ceph/health.h"
#include "runner/hosts/find_library.h"
#include "tests/ceph/shared_sandbox.h"

namespace lab::ceph {
namespace {

using std::chrono::seconds;

class RealCluster : public testing::Test {
 protected:
  sandbox::Sandbox sandbox_ = shared_sandbox();
  std::unique_ptr<Cluster> cluster_ = Cluster::connect(sandbox_.access());
};

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(RealCluster, IsTheOneOfTheSandbox) {
  EXPECT_EQ(cluster_->fsid(), sandbox_.state().fsid);
  EXPECT_TRUE(cluster_->has_pool("rbd"));
  EXPECT_FALSE(cluster_->has_pool("rb"));
  EXPECT_TRUE(cluster_->has_pool("default.rgw.buckets.data"));
  EXPECT_EQ(cluster_->client_option("client_mount_timeout"), "10");
}

TEST_F(RealCluster, AnswersOfAllThreeKindsOfDaemons) {
  EXPECT_EQ(cluster_->mon({{"prefix", "osd stat"}}).at("num_osds"), 3);
  EXPECT_TRUE(cluster_->mgr({{"prefix", "balancer status"}}).contains("active"));
  EXPECT_TRUE(cluster_->osd(0, {{"prefix", "perf dump"}}).contains("osd"));
}

TEST_F(RealCluster, FailuresSayWhichCommand) {
  std::string text = error_of([&] { cluster_->mon({{"prefix", "no such command"}}); });
  EXPECT_TRUE(mentions(text, "\"no such command\"")) << text;
  text = error_of([&] { cluster_->osd(77, {{"prefix", "perf dump"}}); });
  EXPECT_TRUE(mentions(text, "osd.77")) << text;
  std::string status;
  EXPECT_LT(cluster_->try_mon({{"prefix", "osd set"}, {"key", "nonsense"}}, nullptr, &status), 0);
  EXPECT_FALSE(status.empty());
}

// Every thread of it: they stop one by one, and a busy machine takes its time.
bool is_stopped(pid_t pid) {
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", pid))) {
    const std::string stat = read_file(task.path() / "stat");
    if (stat.at(stat.rfind(')') + 2) != 'T') return false;
  }
  return true;
}

TEST_F(RealCluster, AManagerThatHangsIsNotWaitedForWithoutEnd) {
  pid_t manager = sandbox_.state().daemon("mgr.a")->process.pid;
  cluster_->mgr({{"prefix", "balancer status"}});
  ASSERT_EQ(kill(manager, SIGSTOP), 0);
  for (int tries = 0; tries < 200 && !is_stopped(manager); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_TRUE(is_stopped(manager));
  std::string text = error_of([&] {
    cluster_->mgr({{"prefix", "balancer status"}}, std::chrono::seconds(2));
  });
  kill(manager, SIGCONT);
  EXPECT_TRUE(mentions(text, "got no answer in time")) << text;
  // The late answer to that one harms nobody, and the next is answered.
  EXPECT_TRUE(cluster_->mgr({{"prefix", "balancer status"}}).contains("active"));
}

TEST_F(RealCluster, AClientWithoutCapsIsToldWhatItLacks) {
  Json made = cluster_->mon({{"prefix", "auth get-or-create"},
                             {"entity", "client.reader"},
                             {"caps", {"mon", "allow r"}}});
  fs::path keyring = fs::temp_directory_path() / fmt::format("lab-reader-{}", getpid());
  write_file_atomically(
      keyring,
      fmt::format("[client.reader]\n\tkey = {}\n", made.at(0).at("key").get<std::string>()), 0600);
  Access access = sandbox_.access();
  access.client = "client.reader";
  access.keyring = keyring;
  std::string text = error_of([&] {
    Cluster::connect(access)->mon({{"prefix", "osd set"}, {"key", "noout"}});
  });
  EXPECT_TRUE(mentions(text, "client.reader")) << text;
  EXPECT_TRUE(mentions(text, "caps are missing")) << text;

  cluster_->mon({{"prefix", "auth del"}, {"entity", "client.reader"}});
  text = error_of([&] { Cluster::connect(access, seconds(5)); });
  EXPECT_TRUE(mentions(text, "client.reader was refused")) << text;
  fs::remove(keyring);
}

TEST_F(RealCluster, BackgroundIsReadAndSet) {
  EXPECT_FALSE(read_osd_flags(*cluster_).contains("noscrub"));
  set_osd_flag(*cluster_, "noscrub", true);
  EXPECT_TRUE(read_osd_flags(*cluster_).contains("noscrub"));
  set_osd_flag(*cluster_, "noscrub", false);
  EXPECT_FALSE(read_osd_flags(*cluster_).contains("noscrub"));

  EXPECT_FALSE(read_balancer(*cluster_).active);
  set_balancer(*cluster_, true);
  EXPECT_TRUE(read_balancer(*cluster_).active);
  set_balancer(*cluster_, false);
  EXPECT_FALSE(read_balancer(*cluster_).active);

  EXPECT_EQ(read_autoscale_modes(*cluster_).at("rbd"), "off");
  set_autoscale_mode(*cluster_, "rbd", "warn");
  EXPECT_EQ(read_autoscale_modes(*cluster_).at("rbd"), "warn");
  set_autoscale_mode(*cluster_, "rbd", "off");
}

TEST_F(RealCluster, Conditions) {
  std::string version = read_server_versions(*cluster_);
  EXPECT_EQ(version, client_version());  // of the same packages here
  Pool pool = read_pool(*cluster_, "rbd");
  EXPECT_EQ(pool.type, "replicated");
  EXPECT_EQ(pool.size, 2);
  EXPECT_EQ(pool.pg_num, 32);
  EXPECT_EQ(pool.failure_domain, "osd");
  std::string text = error_of([&] { read_pool(*cluster_, "rdb"); });
  EXPECT_TRUE(mentions(text, "did you mean \"rbd\"?")) << text;

  std::vector<Osd> osds = read_osds(*cluster_);
  ASSERT_EQ(osds.size(), 3u);
  for (const Osd& osd : osds) {
    EXPECT_TRUE(osd.up && osd.in);
    EXPECT_EQ(osd.version, version);
    EXPECT_FALSE(osd.host.empty());
    // Found by its port, without asking the sandbox: must be the same.
    ASSERT_TRUE(osd.process);
    EXPECT_EQ(*osd.process, sandbox_.state().daemon("osd." + std::to_string(osd.id))->process);
    EXPECT_FALSE(osd.allocator.empty());
    EXPECT_FALSE(osd.allocator_library.empty());
  }
}

TEST_F(RealCluster, CachesAreDropped) { EXPECT_TRUE(drop_caches(*cluster_).empty()); }

TEST_F(RealCluster, GetsQuietAndSaysWhatItWaitsFor) {
  wait_quiet(*cluster_, seconds(60));
  // Takes an OSD out for a moment: PGs move, or at least peer again.
  std::vector<std::string> told;
  cluster_->mon({{"prefix", "osd out"}, {"ids", {"2"}}});
  std::string text = error_of([&] { wait_quiet(*cluster_, seconds(0)); });
  wait_quiet(*cluster_, seconds(90), [&](const std::string& what) { told.push_back(what); });
  cluster_->mon({{"prefix", "osd in"}, {"ids", {"2"}}});
  wait_quiet(*cluster_, seconds(90), [&](const std::string& what) { told.push_back(what); });
  EXPECT_TRUE(mentions(text, "didn't get quiet within 0 s")) << text;
  EXPECT_FALSE(told.empty());
}

TEST_F(RealCluster, ADaemonIsRestartedWithAnotherAllocatorAndBack) {
  fs::path library;
  try {
    library = hosts::find_library("jemalloc");
  } catch (const Error& e) {
    GTEST_SKIP() << e.what();
  }
  auto osd0 = [&] { return read_osds(*cluster_).at(0); };
  Osd before = osd0();

  restart_with(sandbox_, "osd.0", {{"LD_PRELOAD", library.string()}});
  Osd with = osd0();
  EXPECT_TRUE(with.up);
  EXPECT_NE(with.process, before.process);
  EXPECT_EQ(with.allocator, "jemalloc");
  EXPECT_EQ(fs::canonical(with.allocator_library), fs::canonical(library));
  EXPECT_FALSE(with.allocator_version.empty());
  // Kept for whoever comes next.
  EXPECT_EQ(shared_sandbox().state().daemon("osd.0")->environment.at("LD_PRELOAD"),
            library.string());

  // A library that isn't there: the loader only warns, and lab must see that.
  restart_with(sandbox_, "osd.0", {{"LD_PRELOAD", "/no/such/libjemalloc.so.2"}});
  EXPECT_EQ(osd0().allocator, before.allocator);

  restart_with(sandbox_, "osd.0", {});
  Osd after = osd0();
  EXPECT_EQ(after.allocator, before.allocator);
  EXPECT_TRUE(shared_sandbox().state().daemon("osd.0")->environment.empty());
  wait_quiet(*cluster_, seconds(60));
}

TEST_F(RealCluster, AnOsdFailsAndComesBack) {
  sandbox_.stop_daemon("osd.1", std::chrono::milliseconds(0));
  EXPECT_FALSE(sandbox_.all_running());
  auto deadline = std::chrono::steady_clock::now() + seconds(30);
  while (read_activity(*cluster_).osds_up != 2 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(read_activity(*cluster_).osds_up, 2u) << "the failure wasn't noticed";
  sandbox_.start_daemon("osd.1");
  EXPECT_TRUE(sandbox_.all_running());
  wait_quiet(*cluster_, seconds(90));
}

TEST_F(RealCluster, UnknownDaemonsAreRefused) {
  std::string text = error_of([&] { sandbox_.restart_daemon("osd.9"); });
  EXPECT_TRUE(mentions(text, "osd.9")) << text;
  EXPECT_TRUE(mentions(text, "osd.2")) << text;
}

TEST_F(RealCluster, AStuckOsdHoldsUpNobodyWhoAsksMany) {
  const Json command = {{"prefix", "perf dump"}, {"logger", "osd"}};
  const std::map<int, Json> all = cluster_->osds({0, 1, 2}, command, seconds(20));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all.at(0).at("osd").contains("op_w"));

  const pid_t stuck = sandbox_.state().daemon("osd.1")->process.pid;
  ASSERT_EQ(kill(stuck, SIGSTOP), 0);
  const auto begin = std::chrono::steady_clock::now();
  const std::map<int, Json> others = cluster_->osds({0, 1, 2, 99}, command, seconds(3));
  const auto took = std::chrono::steady_clock::now() - begin;
  kill(stuck, SIGCONT);
  EXPECT_TRUE(others.contains(0));
  EXPECT_TRUE(others.contains(2));
  EXPECT_FALSE(others.contains(1));
  EXPECT_FALSE(others.contains(99));
  EXPECT_LT(took, seconds(10));
  EXPECT_TRUE(cluster_->osds({}, command, seconds(1)).empty());
}

}  // namespace
}  // namespace lab::ceph
