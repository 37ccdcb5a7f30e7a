// Samples over time reduced to what a picture can show, while they stream by.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lab::analysis {

// One stretch of time: its smallest and its largest value, with the times at which they
// were seen, and their mean.
struct Bucket {
  uint64_t count = 0;
  double min_time_s = 0, max_time_s = 0;
  double min = 0, max = 0;
  double sum = 0;

  bool used() const { return count > 0; }
  double mean() const { return sum / static_cast<double>(count); }
  void add(double time_s, double value);
  void merge(const Bucket& other);
};

// Named series on one axis of time. Memory is bounded, however many samples there are: when
// the time outgrows the buckets, each becomes twice as wide, and when many series would need
// more than `kMostBuckets` together, each gets half as many. No minimum or maximum is ever lost.
class SeriesSampler {
 public:
  using Series = std::map<std::string, std::vector<Bucket>, std::less<>>;
  static constexpr size_t kMostBuckets = 1 << 20;

  explicit SeriesSampler(size_t buckets = 1024) : buckets_(buckets) {}

  // Times must be finite and not negative; they may come in any order.
  void add(std::string_view series, double time_s, double value);

  // Makes every bucket twice as wide.
  void widen();

  double bucket_s() const { return width_s_; }
  const Series& series() const { return series_; }

 private:
  std::vector<Bucket>& find_or_begin(std::string_view series);

  size_t buckets_;
  double width_s_ = 0.001;
  Series series_;
};

// What the samples of a measurement were called while they were taken, in order.
struct PhaseSpan {
  std::string name;
  double begin_s = 0, end_s = 0;
};

class PhaseSpans {
 public:
  static constexpr size_t kMost = 200;  // more could not be told apart

  // Daemons are sampled one after the other: a late sample of a span that is over is passed over.
  void add(std::string_view phase, double time_s);
  const std::vector<PhaseSpan>& spans() const { return spans_; }
  // There were more than `kMost`; the rest is not among them.
  bool incomplete() const { return incomplete_; }

 private:
  std::vector<PhaseSpan> spans_;
  bool incomplete_ = false;
};

}  // namespace lab::analysis
