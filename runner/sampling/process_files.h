// The files below /proc of one process, kept open: reading them is cheap, and what is read is of
// this process or nothing, also when another one has got its number.
#pragma once

#include <optional>

#include "runner/base/file.h"
#include "runner/base/process.h"
#include "runner/hosts/process_memory.h"

namespace lab::sampling {

class ProcessFiles {
 public:
  struct Reading {
    hosts::MemoryStatus memory;
    uint64_t cpu_ms = 0;  // of all its threads since its start; the kernel counts in steps of 10
  };

  // None if the process has ended. Throws lab::Error (Exit::environment) if this process may open
  // no more files.
  static std::optional<ProcessFiles> open(const ProcessId& process);

  const ProcessId& process() const { return process_; }

  // None if the process has ended.
  std::optional<Reading> read() const;

 private:
  ProcessFiles(const ProcessId& process, Fd status, Fd stat)
      : process_(process), status_(std::move(status)), stat_(std::move(stat)) {}

  ProcessId process_;
  Fd status_;
  Fd stat_;
};

enum class Peak { set_back, refused, ended };
// Sets VmHWM back to what is resident now. Refused: the process is another user's.
Peak set_back_peak(const ProcessId& process);

// None if the process has ended, is another user's, or if the kernel doesn't tell.
std::optional<hosts::MemoryRollup> read_memory_rollup(const ProcessId& process);

// Whether the process was started before this moment of CLOCK_BOOTTIME, in seconds.
bool started_before(const ProcessId& process, double boot_time_s);
double boot_time_s();

}  // namespace lab::sampling
