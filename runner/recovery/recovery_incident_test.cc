#include "runner/recovery/recovery_incident.h"

#include <gtest/gtest.h>

namespace lab::recovery {
namespace {

TEST(NamedOsds, AreThoseThatATextNames) {
  EXPECT_EQ(named_osds("osd.2, osd.10 went down during the run"), (std::set<int>{2, 10}));
  EXPECT_EQ(named_osds("osd.0 and 3 more"), (std::set<int>{0}));
  EXPECT_TRUE(named_osds("2 of 3 OSDs were up at one moment of the run").empty());
  EXPECT_TRUE(named_osds("osd.").empty());
}

}  // namespace
}  // namespace lab::recovery
