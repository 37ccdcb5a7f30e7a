#include "analysis/plot/series.h"

namespace lab::analysis {
namespace {

// Fewer a series would show nothing, and so many series are drawn as a few bands anyway.
constexpr size_t kLeastBuckets = 64;

}  // namespace

void Bucket::add(double time_s, double value) {
  if (!used() || value < min) {
    min = value;
    min_time_s = time_s;
  }
  if (!used() || value > max) {
    max = value;
    max_time_s = time_s;
  }
  ++count;
  sum += value;
}

void Bucket::merge(const Bucket& other) {
  if (!other.used()) return;
  const uint64_t count_of_both = count + other.count;
  const double sum_of_both = sum + other.sum;
  add(other.min_time_s, other.min);
  add(other.max_time_s, other.max);
  count = count_of_both;
  sum = sum_of_both;
}

void SeriesSampler::add(std::string_view series, double time_s, double value) {
  while (time_s >= width_s_ * static_cast<double>(buckets_)) widen();
  std::vector<Bucket>& buckets = find_or_begin(series);
  buckets[static_cast<size_t>(time_s / width_s_)].add(time_s, value);
}

std::vector<Bucket>& SeriesSampler::find_or_begin(std::string_view series) {
  const auto found = series_.find(series);
  if (found != series_.end()) return found->second;
  if ((series_.size() + 1) * buckets_ > kMostBuckets && buckets_ > kLeastBuckets) {
    // As many seconds as before: half as many buckets, twice as wide.
    widen();
    buckets_ /= 2;
    for (auto& [name, buckets] : series_) {
      buckets.resize(buckets_);
      buckets.shrink_to_fit();
    }
  }
  return series_.emplace(std::string(series), std::vector<Bucket>(buckets_)).first->second;
}

void SeriesSampler::widen() {
  for (auto& [name, buckets] : series_) {
    for (size_t i = 0; i < buckets_; ++i) {
      Bucket merged = 2 * i < buckets_ ? buckets[2 * i] : Bucket();
      if (2 * i + 1 < buckets_) merged.merge(buckets[2 * i + 1]);
      buckets[i] = merged;
    }
  }
  width_s_ *= 2;
}

void PhaseSpans::add(std::string_view phase, double time_s) {
  if (!spans_.empty() && spans_.back().name == phase) {
    if (time_s > spans_.back().end_s) spans_.back().end_s = time_s;
    return;
  }
  if (!spans_.empty() && time_s <= spans_.back().end_s) return;
  if (spans_.size() == kMost) {
    incomplete_ = true;
    return;
  }
  spans_.push_back({std::string(phase), time_s, time_s});
}

}  // namespace lab::analysis
