#include "runner/hosts/find_library.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"

namespace lab::hosts {
namespace {

#if defined(__x86_64__)
constexpr const char* kMark = "x86-64";
#elif defined(__aarch64__)
constexpr const char* kMark = "AArch64";
#else
constexpr const char* kMark = "64bit";
#endif

std::string line(const std::string& file, const std::string& mark, const std::string& path) {
  return fmt::format("\t{} (libc6{}) => {}\n", file, mark.empty() ? "" : "," + mark, path);
}

Error error_of(const std::string& level) {
  try {
    return {Exit::ok, "found: " + find_library(level).string()};
  } catch (const Error& e) {
    return e;
  }
}

bool mentions(const Error& error, std::string_view part) {
  return std::string_view(error.what()).find(part) != std::string_view::npos;
}

TEST(LibraryInCache, OnlyTheWholeStemCounts) {
  const std::string cache =
      "4 libs found in cache `/etc/ld.so.cache'\n" +
      line("libtcmalloc_minimal.so.4", kMark, "/lib/libtcmalloc_minimal.so.4") +
      line("libtcmalloc_debug.so.4", kMark, "/lib/libtcmalloc_debug.so.4") +
      line("libtcmalloc.so.4", kMark, "/lib/libtcmalloc.so.4");
  EXPECT_EQ(library_in_cache(cache, "libtcmalloc"), "/lib/libtcmalloc.so.4");
  EXPECT_EQ(library_in_cache(cache, "libtcmalloc_minimal"), "/lib/libtcmalloc_minimal.so.4");
  EXPECT_FALSE(library_in_cache(cache, "libjemalloc"));
  EXPECT_FALSE(library_in_cache("", "libtcmalloc"));
}

TEST(LibraryInCache, OfOtherMachinesAndForLinkersNotTaken) {
  const std::string cache = line("libjemalloc.so.2", "", "/lib/i386-linux-gnu/libjemalloc.so.2") +
                            line("libjemalloc.so", kMark, "/lib/libjemalloc.so");
  EXPECT_FALSE(library_in_cache(cache, "libjemalloc"));
  EXPECT_EQ(library_in_cache(
                cache + line("libjemalloc.so.2", std::string(kMark) + ", OS ABI: Linux 3.2.0",
                             "/lib/libjemalloc.so.2"),
                "libjemalloc"),
            "/lib/libjemalloc.so.2");
}

TEST(LibraryInCache, TheNewestAndOfThatTheSoname) {
  const std::string cache = line("libmimalloc.so.2.0", kMark, "/lib/libmimalloc.so.2.0") +
                            line("libmimalloc.so.2", kMark, "/lib/libmimalloc.so.2") +
                            line("libmimalloc.so.1", kMark, "/lib/libmimalloc.so.1");
  EXPECT_EQ(library_in_cache(cache, "libmimalloc"), "/lib/libmimalloc.so.2");
}

TEST(FindLibrary, WhatIsInstalledOrItsPackage) {
  for (auto [level, package] : {std::pair{"tcmalloc", "libgoogle-perftools4"},
                                {"tcmalloc-minimal", "libtcmalloc-minimal4"},
                                {"jemalloc", "libjemalloc2"},
                                {"mimalloc", "libmimalloc2.0"}}) {
    const Error answer = error_of(level);
    if (answer.status() != Exit::ok) {
      EXPECT_EQ(answer.status(), Exit::environment);
      EXPECT_TRUE(mentions(answer, package)) << answer.what();
      continue;
    }
    const fs::path found = find_library(level);
    EXPECT_TRUE(fs::is_regular_file(found)) << found;
    EXPECT_EQ(found.parent_path(), fs::canonical(found.parent_path()));
  }
}

TEST(FindLibrary, PathsAreTakenAsTheyAre) {
  TemporaryDirectory directory;
  const fs::path file = directory.path() / "libother.so";
  EXPECT_EQ(error_of(file).status(), Exit::environment);
  EXPECT_TRUE(mentions(error_of(file), file.string()));
  EXPECT_EQ(error_of(directory.path()).status(), Exit::environment) << "a directory is no library";
  write_file_atomically(file, "");
  EXPECT_EQ(find_library(file), file);
}

TEST(FindLibrary, UnknownLevelsAreRefused) {
  const Error error = error_of("jemaloc");
  EXPECT_EQ(error.status(), Exit::usage);
  EXPECT_TRUE(mentions(error, "did you mean \"jemalloc\"?")) << error.what();
  EXPECT_TRUE(mentions(error, "tcmalloc-minimal")) << error.what();
  EXPECT_EQ(error_of("").status(), Exit::usage);
}

}  // namespace
}  // namespace lab::hosts
