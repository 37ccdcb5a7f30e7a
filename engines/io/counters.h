// Live figures of running jobs, in a file that an engine maps and lab reads:
// how lab shows IOPS while fio runs, whatever fio prints or not.
//
// The file is `slots` CounterSlot after one CounterHeader, created by lab
// (CounterFile::create) and named to the engine by the option `counters=`.
// Each job (process or thread) takes the next free slot by an atomic add on
// `used` and is its only writer; the reader sums. All fields are monotonic;
// relaxed atomics suffice.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace lab::io {

struct CounterHeader {
  static constexpr uint64_t kMagic = 0x31727463'62616cULL;  // "labctr1"
  uint64_t magic;
  uint32_t slots;
  std::atomic<uint32_t> used;
};

struct alignas(64) CounterSlot {
  std::atomic<uint64_t> reads;   // completed I/Os
  std::atomic<uint64_t> writes;  // trims and syncs are not counted here
  std::atomic<uint64_t> read_bytes;
  std::atomic<uint64_t> write_bytes;
  std::atomic<uint64_t> trims;
  std::atomic<uint64_t> syncs;
  std::atomic<uint64_t> errors;
  std::atomic<uint64_t> zero_reads;  // reads whose sampled bytes were all zero
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

// What the slots add up to at one moment.
struct CounterTotals {
  uint64_t reads = 0, writes = 0, read_bytes = 0, write_bytes = 0;
  uint64_t trims = 0, syncs = 0, errors = 0, zero_reads = 0;
  uint32_t jobs = 0;
};

class CounterFile {
 public:
  // Makes the file (truncating) or opens an existing one. On failure returns
  // null and fills `error`.
  static std::unique_ptr<CounterFile> create(const std::string& path, uint32_t slots,
                                             std::string* error);
  static std::unique_ptr<CounterFile> open(const std::string& path, std::string* error);
  ~CounterFile();
  CounterFile(const CounterFile&) = delete;
  CounterFile& operator=(const CounterFile&) = delete;

  // A slot of one's own; null when all are taken (the job then counts nowhere: live
  // figures are a convenience, the result is fio's).
  CounterSlot* take_slot();
  CounterTotals totals() const;

 private:
  CounterFile(void* map, size_t bytes) : map_(map), bytes_(bytes) {}
  CounterHeader* header() const;
  CounterSlot* slots() const;
  void* map_;
  size_t bytes_;
};

}  // namespace lab::io
