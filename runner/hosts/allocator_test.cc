#include "runner/hosts/allocator.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runner/base/error.h"

namespace lab::hosts {
namespace {

constexpr const char* kMaps =
    "55d0c8a00000-55d0c9000000 r-xp 00000000 fe:00 1234   /usr/bin/ceph-osd\n"
    "55d0ca000000-55d0cb000000 rw-p 00000000 00:00 0      [heap]\n"
    "7f0000000000-7f0000021000 rw-p 00000000 00:00 0 \n"
    "7f1000000000-7f1000100000 r-xp 00000000 fe:00 77     /usr/lib/x86_64-linux-gnu/libc.so.6\n"
    "7f1000100000-7f1000200000 r--p 00100000 fe:00 77     /usr/lib/x86_64-linux-gnu/libc.so.6\n"
    "7f2000000000-7f2000100000 r-xp 00000000 fe:00 78     /opt/a b/libx.so.1 (deleted)\n";

std::vector<MappedFile> files(std::initializer_list<const char*> paths) {
  std::vector<MappedFile> all;
  for (const char* path : paths) all.push_back({path});
  return all;
}

TEST(ParseMaps, EachFileOnceAndNoPseudoFiles) {
  std::vector<MappedFile> found = parse_maps(kMaps);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].path, "/usr/bin/ceph-osd");
  EXPECT_EQ(found[1].path, "/usr/lib/x86_64-linux-gnu/libc.so.6");
  EXPECT_EQ(found[2], (MappedFile{"/opt/a b/libx.so.1", true}));
}

TEST(AllocatorOf, GlibcIfNoOtherIsMapped) {
  Allocator found = allocator_of(parse_maps(kMaps), "", "");
  EXPECT_EQ(found.name, "glibc");
  EXPECT_EQ(found.library, "/usr/lib/x86_64-linux-gnu/libc.so.6");
  EXPECT_FALSE(found.preloaded);
}

TEST(AllocatorOf, APreloadThatFailedIsNotBelieved) {
  Allocator found = allocator_of(parse_maps(kMaps), "/usr/lib/libjemalloc.so.2", "");
  EXPECT_EQ(found.name, "glibc");
}

TEST(AllocatorOf, PreloadedLibraries) {
  for (auto [file, name] :
       {std::pair{"/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", "jemalloc"},
        {"/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4.5.10", "tcmalloc_minimal"},
        {"/usr/lib/x86_64-linux-gnu/libtcmalloc.so.4.5.10", "tcmalloc"},
        {"/usr/lib/x86_64-linux-gnu/libmimalloc.so.2.0", "mimalloc"}}) {
    Allocator found = allocator_of(files({"/usr/lib/libc.so.6", file}), file, "");
    EXPECT_EQ(found.name, name);
    EXPECT_EQ(found.library, file);
    EXPECT_TRUE(found.preloaded);
    EXPECT_TRUE(found.others.empty());
  }
}

TEST(AllocatorOf, ALinkedLibraryNeedsNoPreload) {
  Allocator found = allocator_of(files({"/lib/libc.so.6", "/lib/libtcmalloc.so.4.5.10"}), "", "");
  EXPECT_EQ(found.name, "tcmalloc");
  EXPECT_FALSE(found.preloaded);
}

TEST(AllocatorOf, ThePreloadedOneWinsOverTheLinkedOne) {
  Allocator found =
      allocator_of(files({"/lib/libtcmalloc.so.4.5.10", "/lib/libjemalloc.so.2", "/lib/libc.so.6"}),
                   "/usr/lib/libother.so:libjemalloc.so.2", "");
  EXPECT_EQ(found.name, "jemalloc");
  EXPECT_TRUE(found.preloaded);
  EXPECT_EQ(found.others, std::vector<std::string>{"tcmalloc"});
}

TEST(AllocatorOf, TheFirstOfTwoPreloadedOnesWins) {
  Allocator found = allocator_of(files({"/lib/libjemalloc.so.2", "/lib/libmimalloc.so.2.0"}),
                                 "/lib/libmimalloc.so.2 /lib/libjemalloc.so.2", "");
  EXPECT_EQ(found.name, "mimalloc");
}

TEST(AllocatorOf, TwoLinkedOnesAreUnknown) {
  Allocator found = allocator_of(files({"/lib/libjemalloc.so.2", "/lib/libtcmalloc.so.4"}), "", "");
  EXPECT_EQ(found.name, "unknown");
  EXPECT_EQ(found.others.size(), 2u);
}

TEST(AllocatorOf, OneInTheProgramItselfWinsOverAPreload) {
  Allocator found =
      allocator_of(files({"/lib/libtcmalloc.so.4"}), "/lib/libtcmalloc.so.4", "jemalloc");
  EXPECT_EQ(found.name, "jemalloc");
  EXPECT_TRUE(found.library.empty());
  EXPECT_FALSE(found.preloaded);
}

TEST(AllocatorOf, AReplacedLibraryIsToldAsDeleted) {
  Allocator found = allocator_of({{"/lib/libjemalloc.so.2", true}}, "", "");
  EXPECT_TRUE(found.deleted);
}

TEST(AllocatorInProgram, FindsTheMessagesOfLinkedAllocators) {
  std::string jem = "jem";  // apart, so that this program doesn't carry the sign itself
  EXPECT_EQ(allocator_in_program(std::string("x\0<", 3) + jem + "alloc>: Abort"), "jemalloc");
  EXPECT_EQ(allocator_in_program("available only if compiled with tcmalloc"), "");
}

TEST(ReadAllocator, OfThisProcess) {
  Allocator found = read_allocator(getpid());
  EXPECT_EQ(found.name, "glibc");
  EXPECT_FALSE(found.library.empty());
  EXPECT_THROW(read_allocator(0x7ffffffe), Error);
}

TEST(AllocatorOf, APreloadedCLibraryGoesBeforeALinkedAllocator) {
  const std::vector<MappedFile> files = {{.path = "/usr/bin/ceph-osd"},
                                         {.path = "/lib/x86_64-linux-gnu/libc.so.6"},
                                         {.path = "/lib/x86_64-linux-gnu/libtcmalloc.so.4"}};
  EXPECT_EQ(allocator_of(files, "", "").name, "tcmalloc");
  const Allocator found = allocator_of(files, "/lib/x86_64-linux-gnu/libc.so.6", "");
  EXPECT_EQ(found.name, "glibc");
  EXPECT_TRUE(found.preloaded);
  EXPECT_EQ(found.others, std::vector<std::string>{"tcmalloc"});
}

TEST(LinkedAllocator, IsTheCLibrarysUnlessAnotherIsNeeded) {
  EXPECT_EQ(linked_allocator("/bin/ls"), "glibc");
  EXPECT_EQ(linked_allocator("/etc/passwd"), "");
  EXPECT_EQ(parse_ldd("\tlinux-vdso.so.1 (0x7ffd)\n\tlibtcmalloc.so.4 => /usr/lib/libtcmalloc.so.4 "
                      "(0x7f01)\n\tlibx.so => not found\n\t/lib64/ld-linux-x86-64.so.2 (0x7f)\n"),
            (std::vector<fs::path>{"/usr/lib/libtcmalloc.so.4", "/lib64/ld-linux-x86-64.so.2"}));
}

}  // namespace
}  // namespace lab::hosts
