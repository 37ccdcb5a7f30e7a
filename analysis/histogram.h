// Latency histograms as fio prints them in json+ (`clat_ns.bins`), and percentiles of
// what several jobs and repetitions measured together.
//
// Percentiles are taken from summed bins and never averaged: the mean of two 99th
// percentiles is the 99th percentile of nothing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace lab::analysis {

class Histogram {
 public:
  struct Bin {
    uint64_t value_ns;  // fio names a bin by the middle of its range, off by under 1%
    uint64_t count;
    bool operator==(const Bin&) const = default;
  };

  Histogram() = default;
  Histogram(std::initializer_list<Bin> bins);
  // In any order; bins of the same value are added up.
  static Histogram of(std::vector<Bin> bins);

  void add(uint64_t value_ns, uint64_t count);
  void merge(const Histogram& other);

  uint64_t total() const { return total_; }
  bool empty() const { return total_ == 0; }
  // Ascending, no empty ones.
  const std::vector<Bin>& bins() const { return bins_; }

  // The first bin at which at least `percent` of all values are reached: the rule by
  // which fio prints its own percentiles, so that the two agree exactly. `percent` is in
  // (0, 100]; none if there are no values.
  std::optional<uint64_t> percentile_ns(double percent) const;
  std::optional<double> percentile_ms(double percent) const;

  bool operator==(const Histogram&) const = default;

 private:
  std::vector<Bin> bins_;
  uint64_t total_ = 0;
};

}  // namespace lab::analysis
