// A policy: what a change has to show before it is rolled out. JSON with comments,
// docs/gate.md describes every key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/mark.h"
#include "runner/base/json.h"

namespace lab::analysis {

// What a limit is in, and how its keys end: max_growth_ms, min_iops, …
enum class Unit { iops, ms, bytes, s, count };
std::string_view to_text(Unit unit);  // "iops", "ms", …; empty for what is counted

// A figure that rules may be about, whether or not result directories hold it yet.
struct Figure {
  std::string_view key;   // "write_iops"; of the metrics where there are data
  std::string_view name;  // "write IOPS"
  Unit unit;
};
const std::vector<Figure>& policy_figures();

enum class Limit {
  loss,      // part of the baseline that may be lost: 0.05
  growth,    // part of the baseline by which it may grow: 0.1
  added,     // growth in the figure's unit
  at_least,  // in the figure's unit
  at_most,
};

// What an open or warned-of check counts as.
enum class Counts { no_go, warn, go };
std::string_view to_text(Counts counts);

// One limit of one figure. A rule of the file that has several limits is several of these.
struct Rule {
  const Figure* figure = nullptr;  // of policy_figures()
  Limit limit = Limit::loss;
  double value = 0;
  Counts inconclusive = Counts::no_go;  // neither kept nor broken beyond chance
  bool skip_if_missing = false;         // else a figure that nobody measured is a no-go
};

struct Policy {
  std::string name;  // of its file
  std::string title;
  // Factor and level: cells that have all of them are judged. Empty: all but the baseline.
  std::vector<std::pair<std::string, std::string>> candidate;
  size_t min_repetitions = 4;
  results::Weight worst_mark = results::Weight::note;  // the gravest one that is accepted
  // Codes of doubtful marks that are accepted although they are graver.
  std::vector<std::string> accept_marks;
  bool proof = true;  // what the candidate asks for must have been read back
  std::vector<Rule> rules;
};

// Throws lab::Error (Exit::usage) naming file, line and key, with the nearest known key.
Policy parse_policy(const JsonDocument& document);

}  // namespace lab::analysis
