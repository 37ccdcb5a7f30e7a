// Go or no-go: a comparison held against a policy, reason by reason. docs/gate.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "analysis/policy.h"

namespace lab::analysis {

enum class Outcome {
  go,         // the limit is kept, and the 95% interval excludes that it isn't
  no_go,      // the limit is broken
  open,       // the interval holds both
  no_data,    // nothing measured the figure
  skipped,    // the same, and the policy says to go on
  not_valid,  // the figures say nothing: marked invalid
};
std::string_view to_text(Outcome outcome);

struct Check {
  std::string candidate;  // "4k-rbd_cache_writeback, rand rw"
  std::string rule;       // "write IOPS: loss at most 5%"
  // For people. Empty where there is none.
  std::string measured, limit, interval;
  // The same for programs: percent of change where the limit is one, else in `unit`.
  std::string unit;
  std::optional<double> measured_value, limit_value;
  std::optional<stats::Interval> interval_values;
  Outcome outcome = Outcome::go;
  Counts counts = Counts::go;  // what it makes of the decision
  std::string why;             // one sentence without its full stop; mostly empty
};

struct Decision {
  std::string policy;
  std::vector<std::string> compared;  // "A → B", a line for each candidate
  std::vector<Check> checks;

  bool valid() const;
  bool go() const;  // valid, and no check counts as no-go
  // "go", "no-go" or "not valid", with how many checks say so; no full stop.
  std::string text() const;
};

// A candidate and what it is held against.
struct Candidate {
  std::string cell;
  std::string baseline;  // cell of the same directory, or of the reference
};

// The cells of a plan that are judged, against its baseline: those that `cells` names (as
// find_cell understands it); else those that have the policy's levels, each against the cell
// that differs from it in these factors only; else all but the baseline. Throws lab::Error
// (Exit::usage), beginning with `place`, if there is none.
std::vector<Candidate> candidates(const results::Plan& plan, const Policy& policy,
                                  const std::vector<std::string>& cells, const std::string& place);

// Adds the checks of all candidates of a side against their baselines in it; `cells` as for
// candidates(). Throws as candidates() and compare().
void judge_candidates(const Side& side, const Policy& policy, const std::vector<std::string>& cells,
                      Decision& decision);

// Of several directories one may tell of recoveries and another of IOPS: what is "no data" for one
// is left out where another has the figure. Pure.
void drop_told_elsewhere(Decision& decision);

// Adds the checks of one comparison to a decision. Pure.
void judge_gate(const Comparison& comparison, const Policy& policy, Decision& decision);

}  // namespace lab::analysis
