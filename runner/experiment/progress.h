// What people see while runs go on: on a terminal one line that is redrawn, in a log one
// line a run. State comes in as values; only this file knows how it looks.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "runner/fio/eta.h"

namespace lab {

struct RunLabel {
  size_t number = 0;  // 1-based, among the runs of this experiment
  size_t total = 0;
  std::string cell;
  unsigned block = 0;
};

class Progress {
 public:
  Progress(std::FILE* out, bool terminal) : out_(out), terminal_(terminal) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // A line that stays.
  void say(const std::string& text);
  // Preparing: `prefill 42%`. In a log only the first and the last of a phase stand.
  void preparing(const std::string& what, double done);
  // While a run goes on. `left_s`: of all the runs together, if it can be told.
  void running(const RunLabel& run, const std::optional<LiveFigures>& live, double elapsed_s,
               std::optional<double> left_s);
  void finished(const RunLabel& run, const std::string& figures, double seconds,
                std::optional<double> left_s);

 private:
  void put(const std::string& text);
  void redraw(const std::string& line);
  void clear();

  std::FILE* out_;
  bool terminal_;
  bool drawn_ = false;
  std::string preparing_;
};

// `9.8 k`, `412`, `1.25 M`: IOPS in little room.
std::string short_count(double count);
// `1h02m`, `4m10s`, `12s`.
std::string short_time(double seconds);

}  // namespace lab
