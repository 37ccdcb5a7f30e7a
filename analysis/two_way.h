// Least squares of a two-way table, blocks by cells, with places that may be empty:
//   value = block effect + cell effect + residual
// It is the intrablock analysis of incomplete blocks; without gaps, plain two-way ANOVA.
#pragma once

#include <cstddef>
#include <vector>

namespace lab::stats {

// [block][cell]; NaN where nothing was measured. All rows have the same length.
using BlockTable = std::vector<std::vector<double>>;

struct TwoWayFit {
  double residual_ss = 0;
  // Observations less the rank of the model; 0 if nothing is left to judge noise by.
  double df = 0;
  BlockTable residuals;  // NaN where nothing was measured
  // Per cell, less the effect of the reference. Only for linked cells.
  std::vector<double> effects;
};

// Holds what depends on the places alone, so that several responses can be fitted.
class TwoWay {
 public:
  // `cells` chooses columns; none of them may stand twice. The first is the reference.
  TwoWay(const BlockTable& table, const std::vector<size_t>& cells);

  // The cells of the table that was given to the constructor, or another with values in
  // the same places.
  TwoWayFit fit(const BlockTable& table) const;

  // Whether the difference of a cell from the reference can be estimated: they stand in
  // one block, or are linked by a chain of blocks and cells. Index into `cells`.
  bool linked(size_t index) const { return linked_[index]; }
  // Variance of that difference in units of the residual variance: 2 / blocks without gaps.
  double variance_factor(size_t index) const;
  // Share of an observation in its own fitted value.
  double leverage(size_t block, size_t index) const;

 private:
  std::vector<size_t> cells_;
  std::vector<std::vector<size_t>> present_;  // per block, indexes into cells_
  size_t observations_ = 0;
  size_t blocks_used_ = 0;
  size_t rank_ = 0;  // of the cells, blocks eliminated
  std::vector<bool> linked_;
  // Generalised inverse of the cells' equations with blocks eliminated; a row and a
  // column for each cell, 0 for one cell (the reference, where it is linked) of each
  // linked group.
  std::vector<std::vector<double>> inverse_;
};

}  // namespace lab::stats
