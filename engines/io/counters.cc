#include "engines/io/counters.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "runner/base/file.h"

namespace lab::io {
namespace {

// Slots begin on a cache line of their own, so that no job's counting slows another's.
constexpr size_t kSlotsAt = 64;
static_assert(sizeof(CounterHeader) <= kSlotsAt);
static_assert(sizeof(CounterSlot) == 64);

size_t file_bytes(uint32_t slots) { return kSlotsAt + size_t{slots} * sizeof(CounterSlot); }

std::string failure(const std::string& path, const char* what) {
  return fmt::format("{}: cannot {}: {}", path, what, std::generic_category().message(errno));
}

void* map_file(int fd, size_t bytes) {
  void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return map == MAP_FAILED ? nullptr : map;
}

}  // namespace

std::unique_ptr<CounterFile> CounterFile::create(const std::string& path, uint32_t slots,
                                                 std::string* error) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  size_t bytes = file_bytes(slots);
  // Blocks are taken now: a full disk is an error here, not a SIGBUS in the middle of a run.
  int full = fd ? posix_fallocate(fd.get(), 0, static_cast<off_t>(bytes)) : 0;
  if (full != 0) errno = full;
  void* map = fd && full == 0 ? map_file(fd.get(), bytes) : nullptr;
  if (!map) {
    *error = failure(path, "create the counter file");
    return nullptr;
  }
  auto* header = new (map) CounterHeader{};
  for (uint32_t i = 0; i < slots; ++i)
    new (static_cast<char*>(map) + kSlotsAt + i * sizeof(CounterSlot)) CounterSlot{};
  header->slots = slots;
  // Last: whoever sees the magic sees the rest too.
  std::atomic_ref(header->magic).store(CounterHeader::kMagic, std::memory_order_release);
  return std::unique_ptr<CounterFile>(new CounterFile(map, bytes));
}

std::unique_ptr<CounterFile> CounterFile::open(const std::string& path, std::string* error) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat info {};
  if (!fd || fstat(fd.get(), &info) != 0) {
    *error = failure(path, "open the counter file");
    return nullptr;
  }
  auto bytes = static_cast<size_t>(info.st_size);
  void* map = bytes >= kSlotsAt ? map_file(fd.get(), bytes) : nullptr;
  if (!map) {
    *error = fmt::format("{}: not a counter file of lab ({} bytes)", path, bytes);
    return nullptr;
  }
  std::unique_ptr<CounterFile> file(new CounterFile(map, bytes));
  if (std::atomic_ref(file->header()->magic).load(std::memory_order_acquire) !=
          CounterHeader::kMagic ||
      file_bytes(file->header()->slots) != bytes) {
    *error = fmt::format("{}: not a counter file of lab, or of another version of it", path);
    return nullptr;
  }
  return file;
}

CounterFile::~CounterFile() { munmap(map_, bytes_); }

CounterHeader* CounterFile::header() const { return static_cast<CounterHeader*>(map_); }

CounterSlot* CounterFile::slots() const {
  return reinterpret_cast<CounterSlot*>(static_cast<char*>(map_) + kSlotsAt);
}

CounterSlot* CounterFile::take_slot() {
  uint32_t index = header()->used.fetch_add(1, std::memory_order_relaxed);
  return index < header()->slots ? slots() + index : nullptr;
}

CounterTotals CounterFile::totals() const {
  CounterTotals sum;
  sum.jobs = std::min(header()->used.load(std::memory_order_relaxed), header()->slots);
  for (uint32_t i = 0; i < sum.jobs; ++i) {
    const CounterSlot& slot = slots()[i];
    sum.reads += slot.reads.load(std::memory_order_relaxed);
    sum.writes += slot.writes.load(std::memory_order_relaxed);
    sum.read_bytes += slot.read_bytes.load(std::memory_order_relaxed);
    sum.write_bytes += slot.write_bytes.load(std::memory_order_relaxed);
    sum.trims += slot.trims.load(std::memory_order_relaxed);
    sum.syncs += slot.syncs.load(std::memory_order_relaxed);
    sum.errors += slot.errors.load(std::memory_order_relaxed);
    sum.zero_reads += slot.zero_reads.load(std::memory_order_relaxed);
  }
  return sum;
}

}  // namespace lab::io
