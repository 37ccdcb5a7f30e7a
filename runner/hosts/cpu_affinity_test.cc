#include "runner/hosts/cpu_affinity.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runner/base/error.h"
#include "runner/base/process.h"

namespace lab::hosts {
namespace {

TEST(CpuAffinity, AChildHasThoseOfItsStartAndThisThreadItsOwnAgain) {
  const Cpus before = read_cpus(0);
  ASSERT_FALSE(before.empty());
  if (before.size() < 2) GTEST_SKIP() << "there is one CPU only";
  const Cpus last = {before.back()};
  std::optional<Child> child;
  {
    const OnCpus on(last);
    EXPECT_EQ(read_cpus(0), last);
    child.emplace(Child::start({.argv = {"sleep", "60"}}));
  }
  EXPECT_EQ(read_cpus(0), before);
  EXPECT_EQ(read_cpus(child->pid()), last);
}

TEST(CpuAffinity, NoneAskedForLeavesThemAsTheyAre) {
  const Cpus before = read_cpus(0);
  const OnCpus on(Cpus{});
  EXPECT_EQ(read_cpus(0), before);
}

TEST(CpuAffinity, CpusThatAreNotThereAreAnError) {
  const Cpus before = read_cpus(0);
  EXPECT_THROW(OnCpus(Cpus{4000}), Error);
  EXPECT_EQ(read_cpus(0), before);
}

TEST(CpuAffinity, OfAProcessThatHasEndedNothingIsKnown) {
  Child child = Child::start({.argv = {"true"}});
  child.wait(std::chrono::seconds(10));
  EXPECT_TRUE(read_cpus(child.pid()).empty());
}

}  // namespace
}  // namespace lab::hosts
