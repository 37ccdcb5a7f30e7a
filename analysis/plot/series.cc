#include "analysis/plot/series.h"

namespace lab::analysis {

void Bucket::add(double time_s, double value) {
  if (!used || value < min) {
    min = value;
    min_time_s = time_s;
  }
  if (!used || value > max) {
    max = value;
    max_time_s = time_s;
  }
  used = true;
}

void Bucket::merge(const Bucket& other) {
  if (!other.used) return;
  add(other.min_time_s, other.min);
  add(other.max_time_s, other.max);
}

void SeriesSampler::add(std::string_view series, double time_s, double value) {
  while (time_s >= width_s_ * static_cast<double>(buckets_)) widen();
  auto found = series_.find(series);
  if (found == series_.end())
    found = series_.emplace(std::string(series), std::vector<Bucket>(buckets_)).first;
  found->second[static_cast<size_t>(time_s / width_s_)].add(time_s, value);
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
  if (spans_.empty() || spans_.back().name != phase)
    spans_.push_back({std::string(phase), time_s, time_s});
  spans_.back().end_s = time_s;
}

}  // namespace lab::analysis
