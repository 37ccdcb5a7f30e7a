// Two sides, held against each other: what is before, what is after, by how much they differ
// and whether that can be chance. docs/method.md, "Comparing".
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/environment.h"
#include "analysis/metric.h"
#include "analysis/side.h"
#include "analysis/verdict.h"

namespace lab::analysis {

struct CompareOptions {
  double margin = 0.03;  // as stats::JudgeOptions::margin
  // Of comparable_things(): compared all the same, and marked.
  std::vector<std::string> allow_different;
};

// One figure of one pair of rows, or of the two measurements.
struct ComparedMetric {
  const Metric* metric = nullptr;       // of row_metrics() or directory_metrics()
  std::optional<double> before, after;  // of all repetitions, as the tables print them
  std::vector<double> after_samples;    // one for each repetition (or OSD)
  // Of the ratio of after to before, each run one sample. Its ratio is NaN if one side has
  // no figure.
  stats::Judgement judgement;

  // Different, worse, and the whole 95% interval is beyond the margin.
  bool regression() const;
};

struct ComparedRow {
  std::string name;  // in sentences: what `after` is called
  TableRow before, after;
  std::vector<ComparedMetric> metrics;            // those of which either side has a figure
  std::vector<size_t> before_marks, after_marks;  // indexes of Comparison::marks, ascending
  uint64_t after_io_errors = 0;                   // of all usable repetitions
};

// A reason to doubt the comparison, or one of its sides.
struct ComparisonMark {
  enum class Of { before, after, both };
  Of of = Of::both;
  TableMark mark;
};
const char* to_text(ComparisonMark::Of of);

struct Comparison {
  std::string before, after;  // as the user named the sides
  std::string baseline;       // what sentences call the first side
  bool paired = false;        // in the same blocks of one measurement
  double margin = 0;
  std::vector<Difference> asked;  // of all compared cells
  std::vector<Difference> besides;
  std::vector<ComparedRow> rows;
  // What belongs to no cell: memory of the OSDs, of two directories that sampled it.
  std::vector<ComparedMetric> of_directories;
  std::vector<ComparisonMark> marks;
  std::string headline;               // without its full stop; empty without any judgement
  std::vector<std::string> findings;  // a sentence without its full stop for each figure

  bool invalid() const;     // a mark is
  bool regression() const;  // some figure is
};

// Pairs of cells that two sides have in common: by levels, else by name; two chosen cells are
// a pair whatever they are. Throws lab::Error (Exit::usage) if there is none.
std::vector<std::pair<std::string, std::string>> cell_pairs(const Side& before, const Side& after);

// Throws lab::Error (Exit::usage) for sides that have nothing in common, or differ in what
// makes figures comparable and is not allowed to. Pure.
Comparison compare(const Side& before, const Side& after, const CompareOptions& options = {});

}  // namespace lab::analysis
