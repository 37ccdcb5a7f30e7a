#include "runner/sampling/local_source.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>

#include "runner/base/error.h"
#include "runner/sampling/cgroup.h"

namespace lab::sampling {
namespace {

// The kernel sums the counters of a cgroup up when its file is read, which costs as much as several
// processes.
constexpr uint64_t kLooksPerCgroup = 5;

// As many files as are kept open, and more for the rest of the program. Throws nothing: a limit
// that is too low shows when files are opened.
void allow_files(size_t subjects) {
  const rlim_t needed = 3 * subjects + 512;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
  limit.rlim_cur = std::min(limit.rlim_max, needed);
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::optional<uint64_t> read_cgroup_anon(const Fd& file) {
  if (!file) return {};
  std::array<char, 8192> buffer;
  const ssize_t got = pread(file.get(), buffer.data(), buffer.size(), 0);
  if (got <= 0) return {};
  return parse_cgroup_anon({buffer.data(), static_cast<size_t>(got)});
}

}  // namespace

LocalSource::LocalSource(std::vector<Subject> subjects, Search::Tcmalloc tcmalloc,
                         Complaints& complaints)
    : subjects_(std::move(subjects)),
      complaints_(complaints),
      search_(subjects_, std::move(tcmalloc), complaints),
      followed_(subjects_.size()) {}

void LocalSource::begin() {
  allow_files(subjects_.size());
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < subjects_.size(); ++i)
    if (std::optional<Found> found = search_.find(i))
      followed_[i] = Followed{std::move(*found), false};
  search_.begin();
}

void LocalSource::follow(size_t subject, Found found) {
  const bool older = started_before(found.files.process(), phase_began_s_);
  followed_[subject] = Followed{std::move(found), !older};
  if (older) set_back(subject, *followed_[subject]);
}

void LocalSource::set_back(size_t subject, Followed& followed) {
  const Peak peak = set_back_peak(followed.found.files.process());
  followed.peak_is_ours = peak == Peak::set_back;
  if (peak == Peak::refused)
    complaints_.add(
        fmt::format("{}: its peak of memory cannot be set back, so it is left out: run lab as root",
                    subjects_[subject].name));
}

std::optional<Reading> LocalSource::read(size_t subject, bool cgroup) {
  std::optional<Followed>& followed = followed_[subject];
  if (!followed) {
    search_.want(subject);
    return {};
  }
  const std::optional<ProcessFiles::Reading> read = followed->found.files.read();
  if (!read) {
    followed.reset();
    search_.want(subject);
    return {};
  }
  Reading reading;
  reading.rss_bytes = read->memory.rss_bytes;
  reading.rss_anon_bytes = read->memory.rss_anon_bytes;
  if (followed->peak_is_ours) reading.peak_rss_bytes = read->memory.peak_rss_bytes;
  reading.threads = read->memory.threads;
  reading.cpu_ms = read->cpu_ms;
  if (cgroup) reading.cgroup_anon_bytes = read_cgroup_anon(followed->found.cgroup_stat);
  return reading;
}

void LocalSource::look(std::vector<std::optional<Reading>>& readings) {
  const std::lock_guard lock(mutex_);
  for (auto& [subject, found] : search_.take()) follow(subject, std::move(found));
  const bool cgroups = looks_++ % kLooksPerCgroup == 0;
  readings.resize(subjects_.size());
  for (size_t i = 0; i < subjects_.size(); ++i) readings[i] = read(i, cgroups);
}

void LocalSource::turn_phase(std::vector<std::optional<Reading>>& readings) {
  const std::lock_guard lock(mutex_);
  readings.resize(subjects_.size());
  for (size_t i = 0; i < subjects_.size(); ++i) {
    readings[i] = read(i, true);
    if (followed_[i]) set_back(i, *followed_[i]);
  }
  phase_began_s_ = boot_time_s();
}

std::vector<std::optional<ProcessId>> LocalSource::processes() {
  const std::lock_guard lock(mutex_);
  std::vector<std::optional<ProcessId>> all(subjects_.size());
  for (size_t i = 0; i < all.size(); ++i)
    if (followed_[i]) all[i] = followed_[i]->found.files.process();
  return all;
}

void LocalSource::look_closely(const Told& told) {
  const std::vector<std::optional<ProcessId>> all = processes();
  for (size_t i = 0; i < all.size(); ++i) {
    std::optional<CloseReading> reading;
    if (all[i]) {
      const std::optional<hosts::MemoryRollup> rollup = read_memory_rollup(*all[i]);
      if (rollup)
        reading = {rollup->pss_anon_bytes, rollup->anon_huge_pages_bytes};
      else if (is_running(*all[i]))
        complaints_.add(fmt::format(
            "{}: /proc/{}/smaps_rollup tells no Pss_Anon: run lab as root, on Linux 5.3 or newer",
            subjects_[i].name, all[i]->pid));
    }
    told(i, reading);
  }
}

double LocalSource::end() { return search_.end(); }

}  // namespace lab::sampling
