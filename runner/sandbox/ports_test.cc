#include "runner/sandbox/ports.h"

#include <gtest/gtest.h>

#include <set>

namespace lab::sandbox {
namespace {

TEST(Ports, NothingOverlapsWithinABlock) {
  Ports ports{20000};
  std::multiset<int> used = {ports.mon_v2(), ports.mon_v1(), ports.rgw()};
  auto add = [&](PortRange range) {
    for (int port = range.first; port <= range.last; ++port) used.insert(port);
  };
  add(ports.mgr());
  for (int id = 0; id < 5; ++id) add(ports.osd(id));
  EXPECT_EQ(std::set<int>(used.begin(), used.end()).size(), used.size());
  EXPECT_LT(*used.rbegin(), 20000 + Ports::block_size(5));
}

TEST(Ports, BlocksStayBelowTheEphemeralPorts) {
  PortRange bases = possible_bases(3, 32768);
  EXPECT_GE(bases.first, 1024);
  EXPECT_LE(bases.last + Ports::block_size(3), 32768);
  // A host with an unusually low ephemeral range still has somewhere to go.
  bases = possible_bases(64, 1024);
  EXPECT_LT(bases.first, bases.last);
  EXPECT_LE(bases.last + Ports::block_size(64), 65536);
}

TEST(PortReservation, TwoAtATimeAreDifferent) {
  std::set<int> bases;
  std::vector<PortReservation> held;
  for (int i = 0; i < 20; ++i) {
    held.push_back(PortReservation::make(3));
    EXPECT_TRUE(bases.insert(held.back().ports().base).second);
    EXPECT_TRUE(is_port_free(held.back().ports().rgw()));
    EXPECT_FALSE(is_port_open(held.back().ports().rgw()));
  }
}

}  // namespace
}  // namespace lab::sandbox
