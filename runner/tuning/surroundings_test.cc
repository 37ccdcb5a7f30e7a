#include "runner/tuning/surroundings.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"
#include "tests/complaint.h"

namespace lab {
namespace {

Surroundings surroundings() {
  return {{"mon.a", "osd.0", "osd.1", "osd.10", "rgw.a"},
          [](const std::string& daemon) {
            std::map<std::string, std::string> environment;
            if (daemon == "osd.1") environment["LD_PRELOAD"] = "/opt/probe.so:/l/libjemalloc.so.2";
            return environment;
          },
          [](const std::string& allocator) { return fs::path("/l/lib" + allocator + ".so.1"); }};
}

KnobValue preload(const KnobValues& knobs, const char* daemon) {
  return knobs.at({KnobKind::environment, daemon, "LD_PRELOAD"});
}

TEST(KnobsOf, AnAllocatorIsPreloadedInPlaceOfAnother) {
  const KnobValues knobs = knobs_of({AllocatorChoice{"osd", "mimalloc"}}, surroundings());
  EXPECT_EQ(knobs.size(), 3u);
  EXPECT_EQ(preload(knobs, "osd.0"), "/l/libmimalloc.so.1");
  EXPECT_EQ(preload(knobs, "osd.1"), "/l/libmimalloc.so.1:/opt/probe.so");
}

TEST(KnobsOf, AsLinkedIsWithoutAnyPreloadedAllocator) {
  const KnobValues knobs = knobs_of({AllocatorChoice{"osd", "as-linked"}}, surroundings());
  EXPECT_FALSE(preload(knobs, "osd.0"));
  EXPECT_EQ(preload(knobs, "osd.1"), "/opt/probe.so");
}

TEST(KnobsOf, LaterSettingsGoBeforeEarlierOnes) {
  const KnobValues knobs = knobs_of({ConfigOptions{"osd", {{"debug_ms", "0/0"}, {"x", "1"}}},
                                     ConfigOptions{"osd", {{"debug_ms", {}}}}},
                                    surroundings());
  EXPECT_FALSE(knobs.at({KnobKind::config, "osd", "debug_ms"}));
  EXPECT_EQ(knobs.at({KnobKind::config, "osd", "x"}), "1");
}

TEST(KnobsOf, AScopeIsAKindOrOneDaemon) {
  EXPECT_EQ(daemons_of_scope("osd.1", surroundings().daemons), std::vector<std::string>{"osd.1"});
  const std::string text = complaint([] { daemons_of_scope("mgr", surroundings().daemons); });
  EXPECT_NE(text.find("mgr"), std::string::npos);
  EXPECT_NE(text.find("osd.10"), std::string::npos);
}

TEST(ClientEnvironment, HoldsWhatIsForTheClientOnly) {
  const auto environment =
      client_environment({AllocatorChoice{"client", "jemalloc"}, AllocatorChoice{"osd", "mimalloc"},
                          ProcessEnvironment{"client", {{"A", "1"}, {"C", {}}}},
                          ProcessEnvironment{"osd", {{"B", "1"}}}},
                         "/l/libmimalloc.so.1:/opt/probe.so", surroundings().find_library);
  EXPECT_EQ(
      environment,
      (OptionalValues{{"A", "1"}, {"C", {}}, {"LD_PRELOAD", "/l/libjemalloc.so.1:/opt/probe.so"}}));
}

TEST(RestartedBy, DaemonsWhoseStartMakesTheLevel) {
  EXPECT_EQ(restarted_by({AllocatorChoice{"osd.0", "jemalloc"}, DaemonProgram{"rgw", "/x"},
                          ConfigOptions{"osd", {{"a", "b"}}}},
                         surroundings().daemons),
            (std::set<std::string>{"osd.0", "rgw.a"}));
}

}  // namespace
}  // namespace lab
