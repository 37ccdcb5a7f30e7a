#include "runner/hosts/cpu_affinity.h"

#include <sched.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "runner/base/error.h"

namespace lab::hosts {
namespace {

// As the kernel has them: a bit a CPU. cpu_set_t itself ends at 1024 CPUs.
using Words = std::vector<unsigned long>;
constexpr unsigned kBits = sizeof(unsigned long) * CHAR_BIT;

int set_cpus(const Cpus& cpus) {
  Words words(cpus.back() / kBits + 1);
  for (const unsigned cpu : cpus) words[cpu / kBits] |= 1UL << (cpu % kBits);
  return sched_setaffinity(0, words.size() * sizeof(unsigned long),
                           reinterpret_cast<const cpu_set_t*>(words.data()));
}

}  // namespace

Cpus read_cpus(pid_t pid) {
  constexpr size_t kMost = size_t{1} << 20;
  Words words(1024 / kBits);
  // Too few words for this kernel are answered with EINVAL.
  while (sched_getaffinity(pid, words.size() * sizeof(unsigned long),
                           reinterpret_cast<cpu_set_t*>(words.data())) != 0) {
    if (errno != EINVAL || words.size() * kBits >= kMost) return {};
    words.resize(2 * words.size());
  }
  Cpus cpus;
  for (unsigned cpu = 0; cpu < words.size() * kBits; ++cpu)
    if (words[cpu / kBits] >> (cpu % kBits) & 1) cpus.push_back(cpu);
  return cpus;
}

OnCpus::OnCpus(const Cpus& cpus) {
  if (cpus.empty()) return;
  before_ = read_cpus(0);
  if (set_cpus(cpus) != 0)
    throw environment_error("cannot start a process on the CPUs that it had ({} to {}): {}",
                            cpus.front(), cpus.back(), strerror(errno));
}

OnCpus::~OnCpus() {
  if (!before_.empty()) set_cpus(before_);
}

}  // namespace lab::hosts
