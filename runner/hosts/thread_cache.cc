#include "runner/hosts/thread_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "runner/base/error.h"
#include "runner/base/text.h"
#include "runner/hosts/allocator.h"
#include "runner/hosts/elf_symbols.h"
#include "runner/hosts/mappings.h"

namespace lab::hosts {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kLeast = kMiB / 2;
constexpr uint64_t kMost = 1024 * kMiB;
constexpr uint64_t kDefault = 32 * kMiB;

constexpr const char* kOverall = "_ZN8tcmalloc11ThreadCache26overall_thread_cache_size_E";
constexpr const char* kPerThread = "_ZN8tcmalloc11ThreadCache22per_thread_cache_size_E";

fs::path proc_of(pid_t pid) { return fmt::format("/proc/{}", pid); }

// Its name as in parse_mappings: without the mark of a file that was replaced.
fs::path program_of(pid_t pid) {
  constexpr std::string_view deleted = " (deleted)";
  std::error_code gone;
  std::string program = fs::read_symlink(proc_of(pid) / "exe", gone);
  if (program.ends_with(deleted)) program.resize(program.size() - deleted.size());
  return program;
}

// Where the process has the beginning of this file mapped.
const Mapping* first_mapping(const std::vector<Mapping>& mappings, const fs::path& path) {
  for (const Mapping& mapping : mappings)
    if (mapping.path == path && mapping.offset == 0) return &mapping;
  return nullptr;
}

// A name for the very file that is mapped, also if the process has a root directory of its
// own, or the file was replaced since. Only with privileges; else the name in the
// process's root, which is as good unless it was replaced.
fs::path file_behind(pid_t pid, const Mapping& mapping) {
  fs::path exact =
      proc_of(pid) / "map_files" / fmt::format("{:x}-{:x}", mapping.begin, mapping.end);
  if (Fd(open(exact.c_str(), O_RDONLY | O_CLOEXEC))) return exact;
  if (mapping.deleted)
    throw environment_error(
        "process {}: {} was replaced on disk since it was loaded, so its variables can't be found; "
        "run lab as root, or restart the process",
        pid, mapping.path.string());
  return proc_of(pid) / "root" / mapping.path.relative_path();
}

uint64_t read_word(pid_t pid, int memory, uint64_t address) {
  uint64_t word = 0;
  const ssize_t got = pread(memory, &word, sizeof word, static_cast<off_t>(address));
  if (got != sizeof word)
    throw environment_error("process {}: cannot read its memory at {:x}: {}", pid, address,
                            got < 0 ? strerror(errno) : "it has ended");
  return word;
}

}  // namespace

std::optional<ThreadCache> read_thread_cache(pid_t pid) {
  const Allocator allocator = read_allocator(pid);
  if (!allocator.name.starts_with("tcmalloc")) return {};
  const fs::path file = allocator.library.empty() ? program_of(pid) : allocator.library;
  const std::vector<Mapping> mappings = parse_mappings(read_file(proc_of(pid) / "maps"));
  const Mapping* first = first_mapping(mappings, file);
  if (!first) return {};
  const ElfFile elf(file_behind(pid, *first));
  const std::optional<ElfSymbol> overall = elf.symbol(kOverall);
  const std::optional<ElfSymbol> per_thread = elf.symbol(kPerThread);
  const std::optional<uint64_t> image = elf.image_address();
  if (!overall || !per_thread || !image) return {};

  Fd memory(open((proc_of(pid) / "mem").c_str(), O_RDONLY | O_CLOEXEC));
  if (!memory)
    throw environment_error("process {}: cannot open its memory: {}; run lab as root", pid,
                            strerror(errno));
  const uint64_t moved = first->begin - *image;
  return ThreadCache{read_word(pid, memory.get(), moved + overall->value),
                     read_word(pid, memory.get(), moved + per_thread->value)};
}

uint64_t thread_cache_in_force(std::optional<std::string_view> value) {
  if (!value) return kDefault;
  // As the library does, which stores the signed number in an unsigned variable.
  const auto bytes = static_cast<uint64_t>(strtoll(std::string(*value).c_str(), nullptr, 10));
  return std::clamp(bytes, kLeast, kMost);
}

std::optional<std::string> thread_cache_mistake(std::string_view value) {
  const uint64_t in_force = thread_cache_in_force(value);
  uint64_t asked = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), asked);
  const bool plain = error == std::errc{} && end == value.data() + value.size();
  if (plain && asked == in_force) return {};
  if (plain)
    return fmt::format(
        "{}={} is outside of tcmalloc's limits of 512 KiB and 1 GiB: {} ({}) would "
        "be in force",
        kThreadCacheVariable, value, in_force, format_bytes(in_force));
  std::string advice;
  if (std::optional<uint64_t> meant = parse_bytes(value))
    advice = fmt::format("; for {}, write {}", format_bytes(*meant), *meant);
  return fmt::format(
      "{}=\"{}\" is no plain number of bytes, which is all that tcmalloc understands: {} ({}) "
      "would be in force{}",
      kThreadCacheVariable, value, in_force, format_bytes(in_force), advice);
}

}  // namespace lab::hosts
