// Brings a cluster's knobs from one cell's state to the next's, and back to how they were found.
// Every change is in the journal before it is made.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "runner/daemons/driver.h"
#include "runner/tuning/journal.h"
#include "runner/tuning/knob.h"
#include "runner/tuning/tuned_cluster.h"

namespace lab {

class Tuner {
 public:
  using Say = std::function<void(const std::string&)>;
  // `driver` may be null: then nothing can be started anew.
  Tuner(TunedCluster& cluster, daemons::Driver* driver, std::vector<KnobBoard*> boards,
        Journal& journal, Say say);

  // After it, what is named has these values, and what an earlier call changed and this one
  // does not name is as it was found. Daemons are started anew where a value acts at start only,
  // and those of `restarts` in any case. Returns those that were. Throws lab::Error
  // (Exit::environment): nothing is taken back then, call restore().
  std::vector<std::string> enter(const KnobValues& wanted, const std::set<std::string>& restarts);

  // Everything as it was found, daemons included, and read back; then the journal is closed. Tries
  // all of it, whatever fails. Throws lab::Error (Exit::not_restored) with everything that could
  // not be put back; the journal stays then. Does nothing if nothing was changed.
  // `complete`: false leaves the journal open, since others have to put back their part.
  void restore(bool complete = true);

  // Goes on from a journal that another process left.
  void take_over(const Changes& changes);

  // Daemons that have to be started anew for these to act. Throws lab::Error (Exit::environment)
  // if there are none that lab can start.
  std::set<std::string> started_by(const KnobValues& knobs);

  // Its values before the first change; of knobs that were named to enter() only.
  const KnobValues& found() const { return found_; }

 private:
  KnobBoard& board_of(const Knob& knob);
  // True if nothing was thrown; what was is kept for the end.
  using Attempt = std::function<bool(const std::string& what, const std::function<void()>& action)>;
  KnobValues read(const std::vector<Knob>& knobs);
  KnobValues read_what_can_be(const std::vector<Knob>& knobs, const Attempt& attempt);
  void remember(const KnobValues& wanted);
  void set(const Knob& knob, const KnobValue& value);
  void put_back(const std::vector<Knob>& knobs, const Attempt& attempt);
  void restart(const std::set<std::string>& daemons);
  void restart(const std::string& daemon);
  void restart_altered(const Attempt& attempt);
  bool is_started_with_it(const Knob& knob, const std::string& daemon);
  std::set<std::string> daemons_of(const Knob& knob);

  TunedCluster& cluster_;
  daemons::Driver* driver_;
  std::vector<KnobBoard*> boards_;
  Journal& journal_;
  Say say_;
  KnobValues found_;
  KnobValues now_;
  std::vector<Knob> order_;         // of their first change
  std::set<std::string> altered_;   // daemons that run with other start-up values than found
  std::set<std::string> recorded_;  // daemons whose restart is in the journal
};

}  // namespace lab
