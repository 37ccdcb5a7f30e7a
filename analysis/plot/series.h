// Samples over time reduced to what a picture can show, while they stream by.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lab::analysis {

// One stretch of time: its smallest and its largest value, with the times at which they
// were seen.
struct Bucket {
  bool used = false;
  double min_time_s = 0, max_time_s = 0;
  double min = 0, max = 0;

  void add(double time_s, double value);
  void merge(const Bucket& other);
};

// Named series on one axis of time. Memory is bounded by series × buckets: when the time
// outgrows the buckets, each becomes twice as wide. No minimum or maximum is ever lost.
class SeriesSampler {
 public:
  explicit SeriesSampler(size_t buckets = 1024) : buckets_(buckets) {}

  // Times must not be negative; they may come in any order.
  void add(std::string_view series, double time_s, double value);

  double bucket_s() const { return width_s_; }
  const std::map<std::string, std::vector<Bucket>, std::less<>>& series() const { return series_; }

 private:
  void widen();

  size_t buckets_;
  double width_s_ = 0.001;
  std::map<std::string, std::vector<Bucket>, std::less<>> series_;
};

// What the samples of a measurement were called while they were taken, in order.
struct PhaseSpan {
  std::string name;
  double begin_s = 0, end_s = 0;
};

class PhaseSpans {
 public:
  void add(std::string_view phase, double time_s);
  const std::vector<PhaseSpan>& spans() const { return spans_; }

 private:
  std::vector<PhaseSpan> spans_;
};

}  // namespace lab::analysis
