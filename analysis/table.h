// The w/r IOPS table: one row for each row of the plan, from the first run on, with what
// is still to come and every reason to doubt it. Renderers turn it into text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/measurement.h"
#include "analysis/verdict.h"
#include "results/manifest.h"
#include "results/reader.h"

namespace lab::analysis {

// One usable repetition of a row. Values are none where the row has no such phase.
struct Repetition {
  unsigned run = 0;
  unsigned block = 0;
  unsigned position = 0;
  unsigned unit = 0;                     // as in results::RunRecord
  std::optional<double> write_iops;      // flush counted in
  std::optional<double> raw_write_iops;  // as fio printed it
  std::optional<double> read_iops;
  double flush_s = 0;
};

// One direction of a row, over all usable repetitions.
struct Summary {
  bool planned = false;                      // the row has this direction
  std::optional<double> iops;                // geometric mean; of writes, flush counted in
  std::optional<double> raw_iops;            // the same as fio printed it
  std::optional<double> p99_ms;              // of clat, bins of all jobs and repetitions summed
  std::optional<double> spread_percent;      // the repetition farthest from `iops`; none for one
  std::optional<double> difference_percent;  // of `iops` from the baseline's
  std::optional<double> mean_ms;             // of clat, mean over the repetitions
  Histogram clat;  // bins of all jobs and repetitions summed; empty if any had none
  // What statistics say of the difference; none for the baseline and until there is enough.
  std::optional<stats::Judgement> judgement;

  // "different", "inconclusive", …; empty without a judgement.
  std::string verdict() const { return judgement ? stats::to_text(judgement->verdict) : ""; }
};

struct TableRow {
  results::Row plan;
  std::string test;
  results::Levels levels;
  bool baseline = false;
  bool control = false;  // the baseline once more, under a second name
  Summary write, read;
  double flush_s = 0;                   // mean over the repetitions
  std::vector<Repetition> repetitions;  // usable ones, in the order of running
  size_t repetitions_planned = 0;
  size_t repetitions_failed = 0;  // failed, or without readable output
  Proof proof = Proof::nothing_asked;
  std::vector<size_t> marks;  // indexes of Table::marks, ascending

  bool pending() const { return repetitions.size() + repetitions_failed < repetitions_planned; }
};

// One line of the legend: a reason, with the runs that gave it (none: the row as such).
struct TableMark {
  results::Mark mark;
  std::vector<unsigned> runs;
};

// "runs 1-3, 7: a scrub ran".
std::string legend_text(const TableMark& mark);

struct Table {
  results::Manifest manifest;
  std::vector<results::Phase> phases;
  std::vector<std::string> factors;
  std::vector<TableRow> rows;  // ascending by row number
  std::vector<TableMark> marks;
  std::vector<size_t> general_marks;  // of the whole table, indexes of `marks`
  std::vector<RunFigures> runs;       // all finished ones, usable or not, ascending by index
  // The answer in one sentence, without its full stop; empty where nothing is compared.
  std::string headline;
  // What the repetitions show of each cell against the baseline, a sentence each.
  std::vector<std::string> findings;
  // Of the control's rows, write and read: what the lab makes of two that are the same.
  std::vector<stats::ControlSummary> controls;

  // The gravest of all; none if there is no mark at all. A table whose worst mark is
  // invalid is to end with Exit::not_valid.
  std::optional<results::Weight> worst_mark() const;

  // Null for a run that is not finished.
  const RunFigures* find_run(unsigned index) const;
};

// A table while its runs come in, one after the other. What it keeps of a run does not grow
// with its histograms: those go into the sums of the rows.
class TableBuilder {
 public:
  explicit TableBuilder(std::vector<results::Row> rows);

  // Each run at most once, in any order.
  void add(RunFigures run);
  // Of the runs so far. The plan has the rows that the builder was made with; how many runs
  // it has may have changed since.
  Table build(const results::Manifest& manifest, const results::Plan& plan,
              const std::vector<std::string>& damaged) const&;
  // The same of a builder that is not needed any more: its runs are not copied.
  Table build(const results::Manifest& manifest, const results::Plan& plan,
              const std::vector<std::string>& damaged) &&;

 private:
  Table build(const results::Manifest& manifest, const results::Plan& plan,
              const std::vector<std::string>& damaged, std::vector<RunFigures> runs) const;
  // Bins of all runs of one direction of a row; none if one of the runs had none.
  struct Sum {
    Histogram clat;
    bool all_have_bins = true;
    void add(const DirectionFigures& figures);
    const Histogram& result() const;
  };
  struct Sums {
    Sum write, read;
  };
  std::vector<results::Row> rows_;
  std::vector<RunFigures> runs_;  // ascending by index, without histograms
  std::vector<Sums> sums_;        // one for each of `rows_`
};

// Pure, from measured runs.
Table build_table(const results::Manifest& manifest, const results::Plan& plan,
                  std::vector<RunFigures> runs, const std::vector<std::string>& damaged = {});

// Reads all runs of a directory and builds the table.
Table load_table(const results::ResultReader& reader);

}  // namespace lab::analysis
