// The processes of this host.
#pragma once

#include "runner/sampling/search.h"
#include "runner/sampling/source.h"

namespace lab::sampling {

class LocalSource : public Source {
 public:
  // The complaints outlive it. `tcmalloc` as in search.h.
  LocalSource(std::vector<Subject> subjects, Search::Tcmalloc tcmalloc, Complaints& complaints);

  void begin() override;
  void look(std::vector<std::optional<Reading>>& readings) override;
  void turn_phase(std::vector<std::optional<Reading>>& readings) override;
  void look_closely(const Told& told) override;
  double end() override;

 private:
  struct Followed {
    Found found;
    bool peak_is_ours = false;  // it has been set back, or it began in this phase
  };

  void follow(size_t subject, Found found);
  std::optional<Reading> read(size_t subject, bool cgroup);
  void set_back(size_t subject, Followed& followed);
  std::vector<std::optional<ProcessId>> processes();

  std::vector<Subject> subjects_;
  Complaints& complaints_;
  Search search_;

  std::mutex mutex_;  // of all below
  std::vector<std::optional<Followed>> followed_;
  double phase_began_s_ = 0;  // of CLOCK_BOOTTIME
  uint64_t looks_ = 0;
};

}  // namespace lab::sampling
