#include "analysis/plot/curves.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/plot/layout.h"

namespace lab::analysis {

std::string extremes(const std::vector<Bucket>& buckets, double unit, const std::string& more) {
  std::string out;
  auto point = [&](double time_s, double value) {
    out += fmt::format("{:.3f}\t{:.6g}{}\n", time_s, value / unit, more);
  };
  for (const Bucket& bucket : buckets) {
    if (!bucket.used()) continue;
    if (bucket.min_time_s == bucket.max_time_s) {
      // One sample, or a step within one moment.
      if (bucket.min != bucket.max) point(bucket.min_time_s, bucket.min);
      point(bucket.max_time_s, bucket.max);
    } else if (bucket.min_time_s < bucket.max_time_s) {
      point(bucket.min_time_s, bucket.min);
      point(bucket.max_time_s, bucket.max);
    } else {
      point(bucket.max_time_s, bucket.max);
      point(bucket.min_time_s, bucket.min);
    }
  }
  return out;
}

std::string bands(const std::vector<Bucket>& buckets, double bucket_s, double unit,
                  const std::string& more) {
  std::string out;
  for (size_t i = 0; i < buckets.size(); ++i) {
    const Bucket& bucket = buckets[i];
    if (!bucket.used()) continue;
    out +=
        fmt::format("{:.3f}\t{:.6g}\t{:.6g}\t{:.6g}{}\n", (static_cast<double>(i) + 0.5) * bucket_s,
                    bucket.min / unit, bucket.mean() / unit, bucket.max / unit, more);
  }
  return out;
}

Extent extent(const SeriesSampler::Series& series) {
  Extent all;
  for (const auto& [name, buckets] : series) {
    for (const Bucket& bucket : buckets) {
      if (!bucket.used()) continue;
      all.end_s = std::max({all.end_s, bucket.min_time_s, bucket.max_time_s});
      all.most = std::max(all.most, bucket.max);
    }
  }
  return all;
}

TimeAxis time_axis(double end_s) {
  struct Unit {
    double up_to_s;
    double seconds;
    const char* name;
  };
  static constexpr Unit kUnits[] = {
      {600, 1, "s"}, {4 * 3600, 60, "min"}, {96 * 3600, 3600, "h"}, {0, 86400, "days"}};
  const Unit* unit = kUnits;
  while (unit->up_to_s > 0 && end_s > unit->up_to_s) ++unit;
  const double end = std::max(end_s, 0.001) / unit->seconds;
  return {unit->seconds, fmt::format("set xrange [0:{:.9g}]\nset xtics {}\nset xlabel '{}' offset "
                                     "0,0.4\n",
                                     end, linear_tics(end, 8), unit->name)};
}

}  // namespace lab::analysis
