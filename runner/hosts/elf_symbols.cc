#include "runner/hosts/elf_symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "runner/base/error.h"

namespace lab::hosts {

struct ElfFile::Handle {
  Handle(const fs::path& file_path, Fd file) : path(file_path), fd(std::move(file)) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { elf_end(elf); }

  [[noreturn]] void damaged(const char* what) const {
    const char* reason = elf_errmsg(-1);
    throw environment_error("{}: cannot read {} of this ELF file: {}", path.string(), what,
                            reason ? reason : "damaged");
  }

  fs::path path;
  Fd fd;
  Elf* elf = nullptr;
};

namespace {

bool is_symbol_table(const GElf_Shdr& section) {
  return section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB;
}

}  // namespace

ElfFile::ElfFile(const fs::path& path) {
  // O_NONBLOCK: a pipe under this name must not be waited for.
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) throw environment_error("{}: cannot read: {}", path.string(), strerror(errno));
  struct stat info {};
  if (fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode))
    throw environment_error("{}: is no regular file, so no program or library", path.string());
  handle_ = std::make_unique<Handle>(path, std::move(fd));
  if (elf_version(EV_CURRENT) == EV_NONE) handle_->damaged("anything");
  handle_->elf = elf_begin(handle_->fd.get(), ELF_C_READ, nullptr);
  if (!handle_->elf) handle_->damaged("the header");
  constexpr int order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  size_t bytes = 0;
  const char* ident = elf_getident(handle_->elf, &bytes);
  if (elf_kind(handle_->elf) != ELF_K_ELF || !ident || bytes < EI_NIDENT ||
      gelf_getclass(handle_->elf) != ELFCLASS64 || ident[EI_DATA] != order)
    throw environment_error("{}: is no 64-bit ELF file of this machine's byte order",
                            path.string());
}

ElfFile::~ElfFile() = default;

std::optional<ElfSymbol> ElfFile::symbol(std::string_view name) const {
  Elf* elf = handle_->elf;
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header)) handle_->damaged("a section's header");
    if (!is_symbol_table(header)) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (!data || header.sh_entsize != gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT))
      handle_->damaged("the symbol table");
    const auto count = static_cast<int>(data->d_size / header.sh_entsize);
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, i, &symbol)) handle_->damaged("a symbol");
      if (symbol.st_shndx == SHN_UNDEF) continue;
      // Checks that the name ends within its table.
      const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (!text) handle_->damaged("the names of its symbols");
      if (name == text) return ElfSymbol{symbol.st_value, symbol.st_size};
    }
  }
  return {};
}

std::optional<uint64_t> ElfFile::image_address() const {
  size_t count = 0;
  if (elf_getphdrnum(handle_->elf, &count) != 0) handle_->damaged("the program headers");
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(handle_->elf, static_cast<int>(i), &segment))
      handle_->damaged("a program header");
    if (segment.p_type == PT_LOAD && segment.p_offset == 0) return segment.p_vaddr;
  }
  return {};
}

}  // namespace lab::hosts
