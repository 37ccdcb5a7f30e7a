#include "runner/sandbox/use.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"
#include "tests/complaint.h"

namespace lab::sandbox {
namespace {

TEST(Use, OnlyTheLastUserMayCloseIt) {
  const TemporaryDirectory scratch;
  const Layout layout{scratch.path()};
  Use first = Use::join(layout);
  {
    Use second = Use::join(layout);
    EXPECT_FALSE(first.close_to_others());
  }
  EXPECT_TRUE(first.close_to_others());
  EXPECT_NE(complaint([&] { Use::join(layout); }, Exit::environment).find("being taken down"),
            std::string::npos);
}

}  // namespace
}  // namespace lab::sandbox
