#include "runner/soak/segment.h"

#include <algorithm>
#include <chrono>

#include "runner/plan/rewrite.h"
#include "runner/plan/shape.h"

namespace lab::soak {
namespace {

using std::chrono::milliseconds;

// Of each metric of a daemon.
constexpr double kMostSamples = 20000;
// A question costs a daemon more than a look costs the kernel.
constexpr int kLooksPerQuestion = 5;

}  // namespace

milliseconds sample_period(double hours) {
  return std::max(milliseconds(1000),
                  milliseconds(static_cast<int64_t>(hours * 3600e3 / kMostSamples)));
}

Segment::Segment(const Request& request, std::vector<sampling::Subject> subjects)
    : request_(request), subjects_(std::move(subjects)) {
  settings_.period = sample_period(request.hours);
  settings_.questions = kLooksPerQuestion * settings_.period;
}

double Segment::fit(JobFile& job) const {
  run_for(job, request_.segment_s / static_cast<double>(phases_of(job).size()));
  return request_.segment_s;
}

void Segment::begin(const fs::path& folder, const std::string& cell) {
  marks_.clear();
  sampler_.emplace(subjects_, folder / "samples.csv", settings_);
  sampler_->start("soak");
  cell_ = cell;
}

void Segment::end() {
  if (!sampler_) return;
  const sampling::Account account = sampler_->stop();
  sampler_.reset();
  if (auto mark = sampling::missed_looks(account)) marks_.push_back(std::move(*mark));
}

}  // namespace lab::soak
