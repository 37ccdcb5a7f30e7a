#include "runner/ceph/daemon_options.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::ceph {
namespace {

TEST(LocalOptions, AnAbsentSocketIsNamed) {
  try {
    read_local_options("/no/such/mon.a.asok", {"mon_host"});
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::environment);
    EXPECT_NE(std::string(e.what()).find("/no/such/mon.a.asok"), std::string::npos);
  }
}

}  // namespace
}  // namespace lab::ceph
