// One segment of a soak: the job runs, and the memory of every daemon is followed. Segments come
// one after the other, each a run of its own, so that nothing is lost but the last when lab or the
// machine goes down.
#pragma once

#include <optional>
#include <vector>

#include "runner/recovery/incident.h"
#include "runner/sampling/sampler.h"
#include "runner/soak/request.h"

namespace lab::soak {

class Segment : public Incident {
 public:
  Segment(const Request& request, std::vector<sampling::Subject> subjects);

  double fit(JobFile& job) const override;
  bool goes_on(const std::string& cell) const override { return cell == cell_; }
  void begin(const fs::path& folder, const std::string& cell) override;
  // The job ends by itself.
  Want step() override { return Want::load; }
  void end() override;
  std::vector<results::Mark> marks() const override { return marks_; }
  bool brings(const results::Mark& /*mark*/) const override { return false; }

 private:
  Request request_;
  std::vector<sampling::Subject> subjects_;
  sampling::Settings settings_;
  std::optional<sampling::Sampler> sampler_;
  std::vector<results::Mark> marks_;
  std::string cell_;  // of the last segment
};

// How far apart samples are, so that those of a soak take a bounded room on disk however long it
// is.
std::chrono::milliseconds sample_period(double hours);

}  // namespace lab::soak
