// From profiles to the table that reports publish: process, where, share; and before -> after.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "analysis/proportion.h"

namespace lab::analysis::profile {

struct ShareOptions {
  bool self = false;  // by the innermost frame alone, instead of inclusive
  size_t top = 20;    // places of each process, those with the largest shares; 0: all
  std::string focus;  // with which the profiles were read
};

// Of one side. Shares are between 0 and 1, of all samples of the process, in focus or not.
struct PlaceShare {
  double weight = 0;  // samples or bytes
  double share = 0;
  // 95%, of samples alone: how many a heap profile's bytes come from is not told.
  std::optional<stats::Interval> interval;
};

struct ShareRow {
  std::string where;
  std::optional<PlaceShare> before, now;  // none: the process was not in that side's profiles
  std::optional<double> difference;       // of shares, now - before
  std::optional<stats::Interval> difference_interval;
  // The difference is no larger than chance of sampling makes it: its interval includes 0.
  bool within_noise = false;
};

// Of one side of one process.
struct SideTotal {
  double total = 0;
  double in_focus = 0;
  double unresolved = 0;  // between 0 and `total`
  size_t processes = 0;   // 0: not told
};

struct ProcessShares {
  std::string name;
  std::optional<SideTotal> before, now;
  std::vector<ShareRow> rows;  // largest share of either side first
  size_t left_out = 0;         // places beyond `top`
};

struct ShareTable {
  std::string unit;
  ShareOptions options;
  bool compared = false;
  std::vector<ProcessShares> processes;  // most samples first
  std::vector<std::string> notes;        // sentences without full stop
};

// More than this share of a process's samples with an innermost frame without a name is told
// as a warning: what the table shows of that process is then incomplete.
constexpr double kMostUnresolved = 0.1;

// `before` may be null. Processes are compared by their names; what is on one side only has no
// other share. One file's process is compared with the other side's one file, whatever their
// names. Throws lab::Error (Exit::usage) where the sides count different things, or files of
// different names leave open which belongs to which.
ShareTable shares(const Profile& now, const Profile* before, const ShareOptions& options);

// "osd.0: 34.1% of the samples end in frames without a name: …", a sentence each process and
// side above kMostUnresolved.
std::vector<std::string> unresolved_warnings(const ShareTable& table);

}  // namespace lab::analysis::profile
