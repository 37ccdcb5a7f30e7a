// Where the sampler gets what it writes: the processes of one host. Here they are this host's
// (local_source.h); behind the same interface one lasting shell a host can stand.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lab::sampling {

// What one process had at one moment.
struct Reading {
  uint64_t rss_bytes = 0;
  uint64_t rss_anon_bytes = 0;
  // The most since the phase began, or since the process did: none if it could not be set back.
  std::optional<uint64_t> peak_rss_bytes;
  unsigned threads = 0;
  uint64_t cpu_ms = 0;  // of all its threads since its start
  // Of a cgroup that it has to itself; read less often than the rest.
  std::optional<uint64_t> cgroup_anon_bytes;
};

// What takes the kernel long to tell.
struct CloseReading {
  uint64_t pss_anon_bytes = 0;
  uint64_t anon_huge_pages_bytes = 0;
};

// Subjects are known by their places in the list that the source was made with. None of this
// throws.
class Source {
 public:
  virtual ~Source() = default;

  // Looks for all processes, and returns when each was looked for once. Called once, first.
  virtual void begin() = 0;

  // One look at all processes: fills `readings`, one a subject, none where there is no process.
  // Takes a bounded time, whatever state the processes are in. Processes that have ended are
  // looked for elsewhere, and are there at a later look.
  virtual void look(std::vector<std::optional<Reading>>& readings) = 0;

  // As look(), and sets all peaks back: a phase ends and the next begins.
  virtual void turn_phase(std::vector<std::optional<Reading>>& readings) = 0;

  // A close look at each process in turn, told when it was taken. Another thread may look()
  // meanwhile.
  using Told = std::function<void(size_t subject, const std::optional<CloseReading>& reading)>;
  virtual void look_closely(const Told& told) = 0;

  // Ends its threads. Returns the CPU time that they took, in seconds.
  virtual double end() = 0;
};

}  // namespace lab::sampling
