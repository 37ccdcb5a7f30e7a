#include "runner/hosts/thread_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runner/hosts/preloaded_for_test.h"

namespace lab::hosts {
namespace {

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;

// The values people write, and what becomes of them.
struct Case {
  std::optional<std::string> value;
  uint64_t in_force;
  bool mistaken;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {std::nullopt, 32 * kMiB, false},
      {"134217728", 128 * kMiB, false},
      {"33554432", 32 * kMiB, false},
      {"524288", 512 * kKiB, false},
      {"1073741824", 1024 * kMiB, false},
      {"128MB", 512 * kKiB, true},
      {"128m", 512 * kKiB, true},
      {"0x8000000", 512 * kKiB, true},
      {"1e8", 512 * kKiB, true},
      {"", 512 * kKiB, true},
      {"0", 512 * kKiB, true},
      {"524287", 512 * kKiB, true},
      {"-1", 1024 * kMiB, true},
      {"2147483648", 1024 * kMiB, true},
      {"99999999999999999999", 1024 * kMiB, true},
      {"-99999999999999999999", 1024 * kMiB, true},
      {"134217728 bytes", 128 * kMiB, true},
  };
  return all;
}

std::string name_of(const Case& each) {
  return each.value ? "\"" + *each.value + "\"" : std::string("unset");
}

TEST(ThreadCacheInForce, AsPredicted) {
  for (const Case& each : cases()) {
    EXPECT_EQ(thread_cache_in_force(each.value), each.in_force) << name_of(each);
    EXPECT_EQ(each.value && thread_cache_mistake(*each.value), each.mistaken) << name_of(each);
  }
}

TEST(ThreadCacheMistake, SaysWhatWouldBeInForceAndWhatToWrite) {
  const std::string text = thread_cache_mistake("128MB").value_or("");
  for (const char* part : {kThreadCacheVariable, "128MB", "524288", "512 KiB", "write 134217728"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  const std::string beyond = thread_cache_mistake("4294967296").value_or("");
  EXPECT_NE(beyond.find("1 GiB"), std::string::npos) << beyond;
}

// What Debian's libraries really make of each.
TEST(ReadThreadCache, OfARunningProcessIsAsPredicted) {
  for (const char* level : {"tcmalloc", "tcmalloc-minimal"}) {
    std::optional<fs::path> library = installed(level);
    if (!library) GTEST_SKIP() << level << " is not installed; ./bootstrap installs it";
    for (const Case& each : cases()) {
      Environment environment;
      if (each.value) environment[kThreadCacheVariable] = *each.value;
      PreloadedProcess process(*library, environment);
      std::optional<ThreadCache> found = read_thread_cache(process.pid());
      ASSERT_TRUE(found) << level;
      EXPECT_EQ(found->overall_bytes, thread_cache_in_force(each.value))
          << level << " with " << name_of(each);
      EXPECT_GE(found->per_thread_bytes, 512 * kKiB);
      EXPECT_LE(found->per_thread_bytes, 4 * kMiB);
    }
  }
}

TEST(ReadThreadCache, ALibraryReplacedSinceIsStillTheRightOne) {
  std::optional<fs::path> library = installed("tcmalloc-minimal");
  if (!library) GTEST_SKIP() << "tcmalloc-minimal is not installed; ./bootstrap installs it";
  TemporaryDirectory directory;
  const fs::path copy = directory.path() / library->filename();
  fs::copy_file(*library, copy);
  PreloadedProcess process(copy, {{kThreadCacheVariable, "134217728"}});
  fs::remove(copy);
  if (geteuid() != 0) GTEST_SKIP() << "only root may open what is mapped";
  std::optional<ThreadCache> found = read_thread_cache(process.pid());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->overall_bytes, 128 * kMiB);
}

TEST(ReadThreadCache, NoneOfOtherAllocators) {
  EXPECT_FALSE(read_thread_cache(getpid()));
  if (std::optional<fs::path> library = installed("jemalloc")) {
    PreloadedProcess process(*library, {{kThreadCacheVariable, "134217728"}});
    EXPECT_FALSE(read_thread_cache(process.pid()));
  }
}

TEST(ReadThreadCache, OfNobodyIsAnError) { EXPECT_THROW(read_thread_cache(0x7ffffffe), Error); }

}  // namespace
}  // namespace lab::hosts
