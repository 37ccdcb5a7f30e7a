#include "analysis/histogram.h"

#include <algorithm>

namespace lab::analysis {

Histogram::Histogram(std::initializer_list<Bin> bins) {
  for (const Bin& bin : bins) add(bin.value_ns, bin.count);
}

Histogram Histogram::of(std::vector<Bin> bins) {
  auto less = [](const Bin& a, const Bin& b) { return a.value_ns < b.value_ns; };
  if (!std::is_sorted(bins.begin(), bins.end(), less))
    std::stable_sort(bins.begin(), bins.end(), less);
  Histogram out;
  out.bins_.reserve(bins.size());
  for (const Bin& bin : bins) out.add(bin.value_ns, bin.count);
  return out;
}

void Histogram::add(uint64_t value_ns, uint64_t count) {
  if (count == 0) return;
  total_ += count;
  // fio prints bins in ascending order: nearly always this is an append.
  auto at = bins_.end();
  if (!bins_.empty() && bins_.back().value_ns >= value_ns)
    at = std::lower_bound(bins_.begin(), bins_.end(), value_ns,
                          [](const Bin& bin, uint64_t value) { return bin.value_ns < value; });
  if (at != bins_.end() && at->value_ns == value_ns)
    at->count += count;
  else
    bins_.insert(at, {value_ns, count});
}

void Histogram::merge(const Histogram& other) {
  if (empty()) {
    *this = other;
    return;
  }
  std::vector<Bin> merged;
  merged.reserve(bins_.size() + other.bins_.size());
  auto a = bins_.begin();
  auto b = other.bins_.begin();
  while (a != bins_.end() || b != other.bins_.end()) {
    if (b == other.bins_.end() || (a != bins_.end() && a->value_ns < b->value_ns)) {
      merged.push_back(*a++);
    } else if (a == bins_.end() || b->value_ns < a->value_ns) {
      merged.push_back(*b++);
    } else {
      merged.push_back({a->value_ns, a->count + b->count});
      ++a;
      ++b;
    }
  }
  bins_ = std::move(merged);
  total_ += other.total_;
}

std::optional<double> Histogram::percentile_ms(double percent) const {
  const auto ns = percentile_ns(percent);
  return ns ? std::optional(static_cast<double>(*ns) / 1e6) : std::nullopt;
}

std::optional<uint64_t> Histogram::percentile_ns(double percent) const {
  if (empty()) return {};
  long double wanted =
      static_cast<long double>(percent) / 100.0L * static_cast<long double>(total_);
  uint64_t sum = 0;
  for (const Bin& bin : bins_) {
    sum += bin.count;
    if (static_cast<long double>(sum) >= wanted) return bin.value_ns;
  }
  return bins_.back().value_ns;
}

}  // namespace lab::analysis
