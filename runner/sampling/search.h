// Finds processes, in a thread of its own: asking a service manager may take long, and the others
// are looked at meanwhile.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "runner/sampling/complaints.h"
#include "runner/sampling/process_files.h"
#include "runner/sampling/sampler.h"
#include "runner/sampling/turns.h"

namespace lab::sampling {

// A process that was found, with what is read of it.
struct Found {
  ProcessFiles files;
  Fd cgroup_stat;  // memory.stat of its own cgroup; none if it has none
};

class Search {
 public:
  // What is to be told of a found process: whether its malloc is tcmalloc. By the thread.
  using Tcmalloc = std::function<void(size_t subject, bool tcmalloc)>;

  // The subjects, and the complaints, outlive it.
  Search(const std::vector<Subject>& subjects, Tcmalloc tcmalloc, Complaints& complaints);
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() { end(); }

  // Looks for it now, in the thread of the caller: before begin().
  std::optional<Found> find(size_t subject);

  void begin();
  // Looks for it soon, and at most once a second. Returns at once.
  void want(size_t subject);
  // What was found since.
  std::vector<std::pair<size_t, Found>> take();
  // Waits for the thread to end. Returns the CPU time that it took, in seconds.
  double end();

 private:
  void run();
  void learn_malloc(size_t subject, const ProcessId& process);

  const std::vector<Subject>& subjects_;
  Tcmalloc tcmalloc_;
  Complaints& complaints_;
  std::vector<Clock::time_point> not_before_;
  double cpu_s_ = 0;
  std::thread thread_;

  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  bool ending_ = false;
  std::vector<bool> busy_;  // by subject: wanted, being looked for, or found and not taken
  std::vector<size_t> wanted_;
  std::vector<std::pair<size_t, ProcessId>> unlearned_;  // mallocs
  std::vector<std::pair<size_t, Found>> found_;
};

}  // namespace lab::sampling
