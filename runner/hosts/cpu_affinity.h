// The CPUs that processes may run on.
#pragma once

#include <sys/types.h>

#include <vector>

namespace lab::hosts {

// Numbers of CPUs, ascending.
using Cpus = std::vector<unsigned>;

// Of a process's main thread; empty if it has ended.
Cpus read_cpus(pid_t pid);

// As long as it lives, this thread and what it starts run on these CPUs; empty: as they are.
class OnCpus {
 public:
  // Throws lab::Error (Exit::environment) if none of them is to be had here.
  explicit OnCpus(const Cpus& cpus);
  ~OnCpus();
  OnCpus(const OnCpus&) = delete;
  OnCpus& operator=(const OnCpus&) = delete;

 private:
  Cpus before_;
};

}  // namespace lab::hosts
