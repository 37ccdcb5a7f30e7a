// Shares of a number of samples, each of which is a hit or not: how exact they are, by chance
// of sampling alone. What differs from one run to the next comes on top of it. Pure.
#pragma once

#include "analysis/blocks.h"

namespace lab::stats {

// `hits` of `samples`, both counts, hits between 0 and samples.
struct Share {
  double hits = 0;
  double samples = 0;

  // NaN without a sample.
  double value() const { return hits / samples; }
};

// Binomial: sqrt(p (1 - p) / n). It is 0 for no hits, which is no exactness: see wilson.
double standard_error(const Share& share);

// Wilson's score interval (1927, J. Am. Stat. Assoc. 22, 209-212), which stays between 0 and 1
// and has a width also where there are no hits. From 0 to 1 without a sample.
Interval wilson(const Share& share, double confidence);

// after - before by Newcombe's hybrid of the two score intervals (1998, Stat. Med. 17, 873-890,
// method 10): the difference lies within the noise of both where this includes 0.
Interval share_difference(const Share& before, const Share& after, double confidence);

}  // namespace lab::stats
