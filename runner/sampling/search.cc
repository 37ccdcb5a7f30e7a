#include "runner/sampling/search.h"

#include <fcntl.h>

#include "runner/base/error.h"
#include "runner/hosts/allocator.h"
#include "runner/hosts/process_environment.h"
#include "runner/sampling/cgroup.h"
#include "runner/sampling/thread_cpu.h"

namespace lab::sampling {
namespace {

constexpr std::chrono::seconds kPause{1};

}  // namespace

Search::Search(const std::vector<Subject>& subjects, Tcmalloc tcmalloc, Complaints& complaints)
    : subjects_(subjects),
      tcmalloc_(std::move(tcmalloc)),
      complaints_(complaints),
      not_before_(subjects.size()),
      busy_(subjects.size(), false) {}

std::optional<Found> Search::find(size_t subject) {
  try {
    const std::optional<ProcessId> process = subjects_[subject].find();
    if (!process) return {};
    std::optional<ProcessFiles> files = ProcessFiles::open(*process);
    if (!files) return {};
    Found found{std::move(*files), Fd()};
    if (const auto file = own_memory_stat(*process))
      found.cgroup_stat = Fd(open(file->c_str(), O_RDONLY | O_CLOEXEC));
    if (!subjects_[subject].admin_socket.empty()) {
      const std::lock_guard lock(mutex_);
      unlearned_.emplace_back(subject, *process);
    }
    return found;
  } catch (const std::exception& e) {
    complaints_.add(fmt::format("{}: {}", subjects_[subject].name, e.what()));
    return {};
  }
}

void Search::begin() {
  thread_ = std::thread([this] { run(); });
}

void Search::want(size_t subject) {
  const auto now = Clock::now();
  if (now < not_before_[subject]) return;
  not_before_[subject] = now + kPause;
  {
    const std::lock_guard lock(mutex_);
    if (busy_[subject]) return;
    busy_[subject] = true;
    wanted_.push_back(subject);
  }
  changed_.notify_one();
}

std::vector<std::pair<size_t, Found>> Search::take() {
  const std::lock_guard lock(mutex_);
  for (const auto& [subject, found] : found_) busy_[subject] = false;
  return std::exchange(found_, {});
}

double Search::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
  return cpu_s_;
}

void Search::learn_malloc(size_t subject, const ProcessId& process) {
  bool tcmalloc = false;
  try {
    const std::vector<hosts::MappedFile> files =
        hosts::parse_maps(read_file(fmt::format("/proc/{}/maps", process.pid)));
    const std::string preload = hosts::read_environ(process.pid)["LD_PRELOAD"];
    // Ceph links tcmalloc as a library. To search the program itself for another one would cost as
    // much as hours of sampling.
    tcmalloc = hosts::allocator_of(files, preload, "").name.starts_with("tcmalloc");
  } catch (const Error&) {
    // It has ended, or is not ours to look into.
  }
  if (is_running(process)) tcmalloc_(subject, tcmalloc);
}

void Search::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (!wanted_.empty()) {
      const size_t subject = wanted_.back();
      wanted_.pop_back();
      lock.unlock();
      std::optional<Found> found = find(subject);
      lock.lock();
      if (found)
        found_.emplace_back(subject, std::move(*found));
      else
        busy_[subject] = false;
    } else if (!unlearned_.empty()) {
      const auto [subject, process] = unlearned_.back();
      unlearned_.pop_back();
      lock.unlock();
      learn_malloc(subject, process);
      lock.lock();
    } else {
      changed_.wait(lock);
    }
  }
  cpu_s_ = thread_cpu_s();
}

}  // namespace lab::sampling
