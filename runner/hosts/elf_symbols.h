// Symbols of a program's or library's file, so that a variable of theirs can be found in
// the memory of a process that has it loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runner/base/file.h"

namespace lab::hosts {

struct ElfSymbol {
  uint64_t value = 0;  // virtual address as the file has it, before the loader moves it
  uint64_t size = 0;   // bytes; 0 if the file doesn't say

  bool operator==(const ElfSymbol&) const = default;
};

// A 64-bit ELF file of this machine's byte order. Read, not mapped: a file that is cut
// short meanwhile is an error and no SIGBUS.
class ElfFile {
 public:
  // Throws lab::Error (Exit::environment) if it can't be read or is no such file.
  explicit ElfFile(const fs::path& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // By its name as the linker has it (mangled), in .dynsym, and, if the file isn't
  // stripped, in .symtab. None if it isn't defined there. Throws lab::Error
  // (Exit::environment) if the table is damaged.
  std::optional<ElfSymbol> symbol(std::string_view name) const;

  // The virtual address of the beginning of the file: a symbol is in memory at `value`
  // - image_address() + the address where offset 0 of the file is mapped. None if no
  // segment to be loaded begins there.
  std::optional<uint64_t> image_address() const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace lab::hosts
