#include "runner/rollout/permanent.h"

#include <gtest/gtest.h>

#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"

namespace lab::rollout {
namespace {

fs::path library(const std::string& allocator) { return "/usr/lib/lib" + allocator + ".so.2"; }

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A shell that reads the script and runs nothing of it.
int syntax(const std::string& script) {
  const TemporaryDirectory dir;
  write_file_atomically(dir.path() / "s.sh", script);
  return run_command({.argv = {"sh", "-n", (dir.path() / "s.sh").string()}},
                     std::chrono::seconds(10))
      .status;
}

TEST(Permanent, AnAllocatorIsALineInTheDaemonsEnvironment) {
  const Permanent p = make_permanent({AllocatorChoice{"osd", "jemalloc"}}, false, library);
  EXPECT_TRUE(holds(p.by_hand, "LD_PRELOAD=/usr/lib/libjemalloc.so.2"));
  EXPECT_TRUE(holds(p.by_hand, "/etc/default/ceph"));
  EXPECT_TRUE(holds(p.by_hand, "/etc/systemd/system/ceph-osd@.service.d"));
  EXPECT_TRUE(holds(p.by_hand, "systemctl restart ceph-osd.target"));
  EXPECT_TRUE(holds(p.by_hand, "grep -q 'libjemalloc.so.2'"));
  EXPECT_EQ(syntax(p.by_hand), 0) << p.by_hand;
  EXPECT_TRUE(holds(p.ansible, "line: \"LD_PRELOAD=/usr/lib/libjemalloc.so.2\""));
  EXPECT_TRUE(holds(p.ansible, "name: \"ceph-osd.target\""));
}

TEST(Permanent, AsLinkedTakesTheLineAway) {
  const Permanent p = make_permanent({AllocatorChoice{"osd", "as-linked"}}, false, library);
  EXPECT_TRUE(holds(p.by_hand, "shall run without LD_PRELOAD"));
  EXPECT_TRUE(holds(p.ansible, "state: absent"));
  EXPECT_EQ(syntax(p.by_hand), 0) << p.by_hand;
}

TEST(Permanent, OptionsAreConfiguredAndRemoved) {
  const Permanent p = make_permanent(
      {ConfigOptions{"osd/class:ssd", {{"debug_ms", "0/0"}, {"debug_osd", std::nullopt}}}}, false,
      library);
  EXPECT_TRUE(holds(p.by_hand, "ceph config set 'osd/class:ssd' debug_ms '0/0'"));
  EXPECT_TRUE(holds(p.by_hand, "ceph config rm 'osd/class:ssd' debug_osd"));
  EXPECT_TRUE(
      holds(p.ansible, "ceph_conf_overrides:\n  \"osd/class:ssd\":\n    debug_ms: \"0/0\""));
}

TEST(Permanent, AThreadCacheHasAVariableOfCephAnsible) {
  const Permanent p = make_permanent(
      {ProcessEnvironment{"osd.3", {{"TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES", "268435456"}}}},
      false, library);
  EXPECT_TRUE(holds(p.ansible, "ceph_tcmalloc_max_total_thread_cache: 268435456"));
  EXPECT_TRUE(holds(p.by_hand, "systemctl restart ceph-osd@3.service"));
  EXPECT_EQ(syntax(p.by_hand), 0) << p.by_hand;
}

TEST(Permanent, WhatActsAtStartNamesTheRestart) {
  const Permanent p =
      make_permanent({ConfigOptions{"osd", {{"osd_op_num_shards", "4"}}},
                      ConfigOptions{"rgw", {{"rgw_frontends", "{found} tcp_nodelay=1"}}}},
                     true, library);
  EXPECT_TRUE(holds(p.by_hand, "systemctl restart ceph-osd.target"));
  EXPECT_TRUE(holds(p.by_hand, "systemctl restart ceph-radosgw.target"));
  EXPECT_FALSE(holds(p.by_hand, "ceph config set 'rgw'")) << "what stands for a value is none";
  EXPECT_EQ(syntax(p.by_hand), 0) << p.by_hand;
}

TEST(Permanent, QuotesAreQuoted) {
  const Permanent p = make_permanent({ConfigOptions{"osd", {{"x", "a'b"}}}}, false, library);
  EXPECT_TRUE(holds(p.by_hand, "ceph config set 'osd' x 'a'\\''b'"));
  EXPECT_EQ(syntax(p.by_hand), 0);
}

}  // namespace
}  // namespace lab::rollout
