#include "analysis/two_way.h"

#include <cmath>
#include <limits>

namespace lab::stats {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Inverts a symmetric positive semidefinite matrix in place by sweeping each pivot;
// rows and columns that depend on earlier ones become 0. Returns the rank.
size_t invert(std::vector<std::vector<double>>& m) {
  size_t n = m.size();
  std::vector<double> scale(n);
  for (size_t i = 0; i < n; ++i) scale[i] = m[i][i];
  std::vector<bool> swept(n, false);
  size_t rank = 0;
  for (size_t k = 0; k < n; ++k) {
    double pivot = m[k][k];
    // The diagonal elements are counts of the order of the number of blocks.
    if (!(pivot > 1e-9 * (scale[k] + 1))) continue;
    for (size_t i = 0; i < n; ++i) {
      if (i == k || m[i][k] == 0) continue;
      double factor = m[i][k] / pivot;
      for (size_t j = 0; j < n; ++j)
        if (j != k) m[i][j] -= factor * m[k][j];
    }
    for (size_t j = 0; j < n; ++j) {
      if (j == k) continue;
      // The sweep keeps the matrix symmetric up to sign: -1 for swept rows.
      m[k][j] /= pivot;
      m[j][k] /= -pivot;
    }
    m[k][k] = 1 / pivot;
    swept[k] = true;
    ++rank;
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (!swept[i] || !swept[j]) m[i][j] = 0;
  return rank;
}

}  // namespace

TwoWay::TwoWay(const BlockTable& table, const std::vector<size_t>& cells)
    : cells_(cells), present_(table.size()), linked_(cells.size(), false) {
  size_t n = cells.size();
  // The reference comes last, so that it is the one whose equation is redundant.
  auto slot = [n](size_t index) { return index == 0 ? n - 1 : index - 1; };
  std::vector<std::vector<double>> equations(n, std::vector<double>(n, 0));
  for (size_t b = 0; b < table.size(); ++b) {
    for (size_t i = 0; i < n; ++i)
      if (!std::isnan(table[b][cells[i]])) present_[b].push_back(i);
    observations_ += present_[b].size();
    if (present_[b].empty()) continue;
    ++blocks_used_;
    double share = 1.0 / static_cast<double>(present_[b].size());
    for (size_t i : present_[b]) {
      equations[slot(i)][slot(i)] += 1;
      for (size_t j : present_[b]) equations[slot(i)][slot(j)] -= share;
    }
  }
  inverse_.assign(n, std::vector<double>(n, 0));
  if (n > 0 && observations_ == n * table.size()) {
    // Without gaps the inverse is known; tables of hundreds of cells need it.
    double blocks = static_cast<double>(table.size());
    for (size_t i = 1; i < n; ++i)
      for (size_t j = 1; j < n; ++j) inverse_[i][j] = (i == j ? 2 : 1) / blocks;
    rank_ = n - 1;
  } else {
    rank_ = invert(equations);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) inverse_[i][j] = equations[slot(i)][slot(j)];
  }

  // Which cells a chain of blocks links to the reference.
  std::vector<bool> block_seen(table.size(), false);
  std::vector<size_t> open;
  if (n > 0) {
    linked_[0] = true;
    open.push_back(0);
  }
  while (!open.empty()) {
    size_t cell = open.back();
    open.pop_back();
    for (size_t b = 0; b < table.size(); ++b) {
      if (block_seen[b] || std::isnan(table[b][cells[cell]])) continue;
      block_seen[b] = true;
      for (size_t other : present_[b])
        if (!linked_[other]) {
          linked_[other] = true;
          open.push_back(other);
        }
    }
  }
}

TwoWayFit TwoWay::fit(const BlockTable& table) const {
  size_t n = cells_.size();
  std::vector<double> right(n, 0);
  std::vector<double> block_mean(table.size(), 0);
  for (size_t b = 0; b < table.size(); ++b) {
    for (size_t i : present_[b]) block_mean[b] += table[b][cells_[i]];
    if (!present_[b].empty()) block_mean[b] /= static_cast<double>(present_[b].size());
    for (size_t i : present_[b]) right[i] += table[b][cells_[i]] - block_mean[b];
  }
  std::vector<double> cell(n, 0);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) cell[i] += inverse_[i][j] * right[j];

  TwoWayFit out;
  out.residuals.assign(table.size(), std::vector<double>(n, missing));
  for (size_t b = 0; b < table.size(); ++b) {
    double cell_mean = 0;
    for (size_t i : present_[b]) cell_mean += cell[i];
    if (!present_[b].empty()) cell_mean /= static_cast<double>(present_[b].size());
    for (size_t i : present_[b]) {
      double r = table[b][cells_[i]] - block_mean[b] - cell[i] + cell_mean;
      out.residuals[b][i] = r;
      out.residual_ss += r * r;
    }
  }
  out.df = static_cast<double>(observations_) - static_cast<double>(blocks_used_ + rank_);
  out.effects = cell;
  for (double& effect : out.effects) effect -= n > 0 ? cell[0] : 0;
  return out;
}

double TwoWay::variance_factor(size_t index) const {
  return inverse_[index][index] + inverse_[0][0] - 2 * inverse_[index][0];
}

double TwoWay::leverage(size_t block, size_t index) const {
  const std::vector<size_t>& present = present_[block];
  double k = static_cast<double>(present.size());
  double own = inverse_[index][index];
  double cross = 0;
  double all = 0;
  for (size_t i : present) {
    cross += inverse_[index][i];
    for (size_t j : present) all += inverse_[i][j];
  }
  return 1 / k + own - 2 * cross / k + all / (k * k);
}

}  // namespace lab::stats
