#include "runner/sandbox/daemon.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"

namespace lab::sandbox {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Child start_with_token(const std::string& token, std::vector<std::string> argv) {
  Command command{.argv = std::move(argv)};
  command.environment[kTokenVariable] = token;
  return Child::start(command);
}

TEST(Token, OnlyAWholeEntryCounts) {
  EXPECT_TRUE(environ_has_token(std::string("A=1\0LAB_SANDBOX_TOKEN=t1\0B=2\0", 28), "t1"));
  EXPECT_FALSE(environ_has_token("LAB_SANDBOX_TOKEN=t12", "t1"));
  EXPECT_FALSE(environ_has_token("XLAB_SANDBOX_TOKEN=t1", "t1"));
  EXPECT_FALSE(environ_has_token("LAB_SANDBOX_TOKEN=", ""));
}

TEST(Token, FindsProcessesByIt) {
  std::string token = fmt::format("daemon-test-{}", getpid());
  Child marked = start_with_token(token, {"sleep", "60"});
  Child other = start_with_token(token + "x", {"sleep", "60"});
  std::vector<ProcessId> found = find_by_token(token);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], identify(marked.pid()));
}

TEST(Environment, AShellsAllocatorSettingsAreWithheld) {
  for (const char* name : {"LD_PRELOAD", "MALLOC_CONF", "MALLOC_ARENA_MAX", "CEPH_ARGS",
                           "CEPH_KEYRING", "TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES"})
    EXPECT_TRUE(is_withheld(name)) << name;
  for (const char* name : {"PATH", "HOME", "LD_LIBRARY_PATH", "LANG"})
    EXPECT_FALSE(is_withheld(name)) << name;
}

TEST(EndProcesses, AllAtTheSameTimeAndStubbornOnesToo) {
  std::vector<Child> children;
  std::vector<ProcessId> ids;
  for (int i = 0; i < 3; ++i) {
    children.push_back(Child::start({.argv = {"sh", "-c", "trap '' TERM; exec sleep 60"}}));
    ids.push_back(*identify(children.back().pid()));
  }
  std::this_thread::sleep_for(milliseconds(300));  // for the shells to set their traps
  auto begin = std::chrono::steady_clock::now();
  end_processes(ids, milliseconds(500));
  auto took = std::chrono::steady_clock::now() - begin;
  for (const ProcessId& id : ids) EXPECT_FALSE(is_running(id));
  EXPECT_LT(took, milliseconds(1400)) << "one grace period each, not all at the same time";
  end_processes({{0, 0}}, milliseconds(1));  // one that was never started
}

class StartedDaemon : public testing::Test {
 protected:
  StartedDaemon() {
    make_directories(layout_.logs());
    state_.token = fmt::format("started-daemon-{}", getpid());
    state_.daemons = {{.name = "osd.0", .argv = {"sleep", "60"}}};
  }
  ~StartedDaemon() override { kill_process(daemon().process); }
  Daemon& daemon() { return state_.daemons[0]; }

  TemporaryDirectory directory_;
  Layout layout_{directory_.path()};
  State state_;
};

TEST_F(StartedDaemon, RunsOnTheCpusOfTheProcessThatItReplaces) {
  const hosts::Cpus all = hosts::read_cpus(0);
  if (all.size() < 2) GTEST_SKIP() << "there is one CPU only";
  start(daemon(), state_, layout_);
  EXPECT_EQ(hosts::read_cpus(daemon().process.pid), all);
  kill_process(daemon().process);
  {
    const hosts::OnCpus as_by_taskset(hosts::Cpus{all.front()});
    start(daemon(), state_, layout_);
  }
  EXPECT_EQ(hosts::read_cpus(daemon().process.pid), all);
  EXPECT_EQ(load(layout_)->daemons.at(0).cpus, all);

  // Somebody moves it, and then it is started anew.
  const hosts::Cpus last = {all.back()};
  run_checked({.argv = {"taskset", "-p", "-c", std::to_string(last[0]),
                        std::to_string(daemon().process.pid)}},
              seconds(10));
  remember_cpus(daemon());
  kill_process(daemon().process);
  start(daemon(), state_, layout_);
  EXPECT_EQ(hosts::read_cpus(daemon().process.pid), last);
}

TEST(KillProcess, LeavesAStrangerWithTheSamePidAlone) {
  Child child = Child::start({.argv = {"sleep", "60"}});
  ProcessId id = *identify(child.pid());
  kill_process({id.pid, id.start_ticks + 1});
  EXPECT_TRUE(is_running(id));
  kill_process(id);
  EXPECT_FALSE(is_running(id));
}

TEST(CheckPrograms, NamesWhatIsMissingAndItsPackage) {
  std::string path = getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  try {
    check_programs(true);
    ADD_FAILURE() << "found programs in /nowhere";
  } catch (const Error& e) {
    std::string text = e.what();
    EXPECT_EQ(e.status(), Exit::environment);
    for (const char* part : {"ceph-osd", "radosgw", "monmaptool", "ceph-base", "./bootstrap"})
      EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace lab::sandbox
