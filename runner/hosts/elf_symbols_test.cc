#include "runner/hosts/elf_symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/stat.h>

#include <cstring>
#include <random>

#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"

// Looked for in this program's own file: not exported, so only in .symtab.
extern "C" {
__attribute__((used)) uint64_t lab_elf_test_variable = 0x1ab1ab;
}

namespace lab::hosts {
namespace {

// Where a library of this process has been loaded from and to.
struct Loaded {
  fs::path path;
  uint64_t bias = 0;
};

Loaded library_of(const void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return {};
  return {fs::canonical(info.dli_fname), map->l_addr};
}

void* address_of(const char* symbol) { return dlsym(RTLD_DEFAULT, symbol); }

std::string error_of(const fs::path& path) {
  try {
    ElfFile file(path);
    file.symbol("main");
    file.image_address();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::environment);
    return e.what();
  }
  return {};
}

TEST(ElfSymbols, OfALibraryAreWhereTheLoaderPutThem) {
  Loaded library = library_of(address_of("elf_version"));
  ASSERT_FALSE(library.path.empty());
  ElfFile file(library.path);
  EXPECT_EQ(file.image_address(), 0u);
  std::optional<ElfSymbol> found = file.symbol("elf_version");
  ASSERT_TRUE(found);
  EXPECT_EQ(library.bias + found->value, reinterpret_cast<uint64_t>(address_of("elf_version")));
  EXPECT_GT(found->size, 0u);
  EXPECT_FALSE(file.symbol("elf_versio"));
  EXPECT_FALSE(file.symbol("malloc")) << "used there, but not defined";
}

TEST(ElfSymbols, OfAProgramsOwnTable) {
  std::optional<ElfSymbol> found = ElfFile("/proc/self/exe").symbol("lab_elf_test_variable");
  ASSERT_TRUE(found);
  // The address sanitizer puts a guard behind it.
  EXPECT_GE(found->size, sizeof lab_elf_test_variable);
  // The first entry of the loader's list is the program.
  uint64_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<uint64_t*>(out) = info->dlpi_addr;
        return 1;
      },
      &bias);
  EXPECT_EQ(bias + found->value, reinterpret_cast<uint64_t>(&lab_elf_test_variable));
}

TEST(ElfFile, WhatIsNoneIsAnError) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "x";
  EXPECT_NE(error_of(path).find(path.string()), std::string::npos);
  for (const std::string& text : {std::string(), std::string("#!/bin/sh\n"), std::string(ELFMAG),
                                  std::string(ELFMAG) + std::string(200, '\xff')}) {
    write_file_atomically(path, text);
    EXPECT_NE(error_of(path).find(path.string()), std::string::npos);
  }
  EXPECT_NE(error_of(directory.path()).find("no regular file"), std::string::npos);
  const fs::path pipe = directory.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(error_of(pipe).find("no regular file"), std::string::npos);
}

TEST(ElfFile, Of32BitsOrAnotherByteOrderIsAnError) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "x";
  std::string good = read_file(library_of(address_of("elf_version")).path);
  for (auto [place, value] : {std::pair{EI_CLASS, ELFCLASS32}, {EI_DATA, 3 - good[EI_DATA]}}) {
    std::string bytes = good;
    bytes[static_cast<size_t>(place)] = static_cast<char>(value);
    write_file_atomically(path, bytes);
    EXPECT_NE(error_of(path).find("no 64-bit ELF file"), std::string::npos);
  }
}

// Cut short anywhere, or with wrong bytes in any of its headers and tables: an answer or
// an error, and no crash.
TEST(ElfFile, DamageIsSurvived) {
  TemporaryDirectory directory;
  const fs::path path = directory.path() / "x";
  const std::string good = read_file(library_of(address_of("elf_version")).path);
  ElfW(Ehdr) header;
  memcpy(&header, good.data(), sizeof header);
  std::mt19937 random(1);
  size_t errors = 0;
  auto try_bytes = [&](const std::string& bytes) {
    FILE* out = fopen(path.c_str(), "w");
    ASSERT_EQ(fwrite(bytes.data(), 1, bytes.size(), out), bytes.size());
    fclose(out);
    errors += !error_of(path).empty();
  };
  for (size_t bytes = 0; bytes < good.size(); bytes += 997) try_bytes(good.substr(0, bytes));
  EXPECT_GT(errors, 0u);
  errors = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bytes = good;
    // The headers of the file and its segments, or those of its sections.
    const size_t begin = i % 2 == 0 ? 16 : header.e_shoff;
    const size_t area = i % 2 == 0 ? 1024 : size_t{header.e_shnum} * header.e_shentsize;
    for (int n = 0; n < 1 + i % 8; ++n)
      bytes.at(begin + random() % area) = static_cast<char>(random() % 4 == 0 ? 0xff : random());
    try_bytes(bytes);
  }
  EXPECT_GT(errors, 0u);
}

}  // namespace
}  // namespace lab::hosts
