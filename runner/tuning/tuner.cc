#include "runner/tuning/tuner.h"

#include <algorithm>

#include "runner/base/error.h"
#include "runner/base/fail_point.h"
#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/tuning/daemon_name.h"

namespace lab {
namespace {

constexpr std::chrono::seconds kCleanLimit{600};
const Knob kNoout = {KnobKind::osd_flag, "", "noout"};

// Put back after all others: they keep the cluster calm while daemons are started anew.
bool keeps_calm(const Knob& knob) {
  return knob.kind == KnobKind::osd_flag || knob.kind == KnobKind::balancer ||
         knob.kind == KnobKind::autoscale || knob == kBalancerOption;
}

// It belongs to what others may remove from the cluster meanwhile: a pool, an OSD of its map.
bool may_be_gone(const Knob& knob) {
  return knob.kind == KnobKind::autoscale || knob.kind == KnobKind::reweight;
}

bool moves_data(const Knob& knob) {
  return knob.kind == KnobKind::running || knob.kind == KnobKind::store ||
         knob.kind == KnobKind::reweight;
}

std::string shown(const KnobValue& value) { return value ? "\"" + *value + "\"" : "not there"; }

}  // namespace

Tuner::Tuner(TunedCluster& cluster, daemons::Driver* driver, std::vector<KnobBoard*> boards,
             Journal& journal, Say say)
    : cluster_(cluster),
      driver_(driver),
      boards_(std::move(boards)),
      journal_(journal),
      say_(std::move(say)) {}

KnobBoard& Tuner::board_of(const Knob& knob) {
  for (KnobBoard* board : boards_)
    if (board->has(knob.kind)) return *board;
  throw environment_error(
      "{}: cannot be changed here: the inventory names no daemons that lab can start anew",
      describe(knob));
}

bool Tuner::is_started_with_it(const Knob& knob, const std::string& daemon) {
  if (acts_at_start(knob.kind)) return knob.place == daemon;
  return knob.kind == KnobKind::config && reaches(knob.place, daemon) &&
         !cluster_.acts_at_runtime(knob.name);
}

std::set<std::string> Tuner::daemons_of(const Knob& knob) {
  std::set<std::string> daemons;
  const bool at_start = acts_at_start(knob.kind) ||
                        (knob.kind == KnobKind::config && !cluster_.acts_at_runtime(knob.name));
  if (!at_start) return daemons;
  if (!driver_)
    throw environment_error(
        "{} acts only when its daemons are started anew, and the inventory names none that lab can "
        "start",
        describe(knob));
  for (const std::string& daemon : driver_->daemons())
    if (is_started_with_it(knob, daemon)) daemons.insert(daemon);
  return daemons;
}

std::set<std::string> Tuner::started_by(const KnobValues& knobs) {
  std::set<std::string> all;
  for (const auto& [knob, value] : knobs) all.merge(daemons_of(knob));
  return all;
}

KnobValues Tuner::read(const std::vector<Knob>& knobs) {
  std::map<KnobBoard*, std::vector<Knob>> by_board;
  for (const Knob& knob : knobs) by_board[&board_of(knob)].push_back(knob);
  KnobValues values;
  for (const auto& [board, own] : by_board) values.merge(board->read_all(own));
  return values;
}

void Tuner::remember(const KnobValues& wanted) {
  std::vector<Knob> unknown;
  for (const auto& [knob, value] : wanted)
    if (!found_.contains(knob)) unknown.push_back(knob);
  if (unknown.empty()) return;
  std::vector<Undo> undos;
  undos.reserve(unknown.size());
  for (const auto& [knob, before] : read(unknown)) undos.push_back({knob, before});
  journal_.add(undos);
  for (const Undo& undo : undos) {
    found_[undo.knob] = undo.before;
    now_[undo.knob] = undo.before;
    order_.push_back(undo.knob);
  }
}

void Tuner::set(const Knob& knob, const KnobValue& value) {
  fail_point("before setting " + describe(knob));
  board_of(knob).set(knob, value);
  now_[knob] = value;
  fail_point("after setting " + describe(knob));
}

void Tuner::restart(const std::set<std::string>& daemons) {
  if (daemons.empty()) return;
  std::vector<std::string> unrecorded;
  for (const std::string& daemon : daemons)
    if (!recorded_.contains(daemon)) unrecorded.push_back(daemon);
  journal_.add_restarts(unrecorded);
  recorded_.insert(unrecorded.begin(), unrecorded.end());
  for (const std::vector<std::string>& group : cluster_.restart_groups(daemons)) {
    for (const std::string& daemon : group) restart(daemon);
    cluster_.wait_clean(kCleanLimit);
  }
}

void Tuner::restart(const std::string& daemon) {
  say_("starting " + daemon + " anew");
  altered_.insert(daemon);  // until all of it is known to be as found
  fail_point("before restarting " + daemon);
  driver_->restart(daemon);
  fail_point("after restarting " + daemon);
  bool as_found = true;
  for (const auto& [knob, value] : now_)
    if (!same_knob_value(value, found_.at(knob)) && is_started_with_it(knob, daemon))
      as_found = false;
  if (as_found) altered_.erase(daemon);
}

std::vector<std::string> Tuner::enter(const KnobValues& wanted,
                                      const std::set<std::string>& restarts) {
  remember(wanted);
  auto asked = [&](const Knob& knob) -> const KnobValue& {
    const auto named = wanted.find(knob);
    return named == wanted.end() ? found_.at(knob) : named->second;
  };
  std::vector<Knob> changing;
  std::vector<Knob> of_others;
  auto take = [&](const Knob& knob) {
    if (same_knob_value(now_.at(knob), asked(knob))) return;
    (may_be_gone(knob) ? of_others : changing).push_back(knob);
  };
  // What was changed last goes back first: an OSD can't be started before it has its store again.
  for (auto knob = order_.rbegin(); knob != order_.rend(); ++knob)
    if (!wanted.contains(*knob)) take(*knob);
  for (const Knob& knob : order_)
    if (wanted.contains(knob)) take(knob);
  for (const auto& [knob, value] : read(of_others))
    if (value) changing.push_back(knob);  // else its pool or OSD is gone
  std::set<std::string> due = restarts;
  for (const Knob& knob : changing) due.merge(daemons_of(knob));
  for (const Knob& knob : changing) set(knob, asked(knob));
  for (const auto& [knob, value] : read(changing))
    if (value.has_value() != now_.at(knob).has_value())
      throw environment_error("{}: was set, and can't be read back", describe(knob));
  restart(due);
  return {due.begin(), due.end()};
}

void Tuner::take_over(const Changes& changes) {
  for (const Undo& undo : changes.undos) {
    found_[undo.knob] = undo.before;
    order_.push_back(undo.knob);
  }
  recorded_.insert(changes.restarts.begin(), changes.restarts.end());
  altered_ = recorded_;
  // Whoever started a daemon meanwhile has started it with what stood there.
  if (driver_)
    for (const Undo& undo : changes.undos) altered_.merge(daemons_of(undo.knob));
}

void Tuner::restart_altered(const Attempt& attempt) {
  if (altered_.empty()) return;
  const std::set<std::string> altered = altered_;
  std::vector<std::vector<std::string>> groups;
  try {
    groups = cluster_.restart_groups(altered);
  } catch (const std::exception&) {
    // A monitor may be among them: one by one then, in the order of their names.
    for (const std::string& daemon : altered) groups.push_back({daemon});
  }
  for (const std::vector<std::string>& group : groups) {
    for (const std::string& daemon : group) attempt(daemon, [&] { restart(daemon); });
    attempt("after " + join(group, ", "), [&] { cluster_.wait_clean(kCleanLimit); });
  }
}

KnobValues Tuner::read_what_can_be(const std::vector<Knob>& knobs, const Attempt& attempt) {
  try {
    return read(knobs);
  } catch (const std::exception&) {
    // Which of them it was shows one by one; the others are put back all the same.
  }
  KnobValues values;
  for (const Knob& knob : knobs)
    attempt(describe(knob), [&] { values[knob] = board_of(knob).read(knob); });
  return values;
}

void Tuner::put_back(const std::vector<Knob>& knobs, const Attempt& attempt) {
  KnobValues present = read_what_can_be(knobs, attempt);
  std::vector<Knob> done;
  bool changed = false;
  for (const Knob& knob : knobs) {
    const auto at = present.find(knob);
    if (at == present.end()) continue;
    // A pool or an OSD that was removed meanwhile has nothing to be put back.
    if (may_be_gone(knob) && !at->second) continue;
    const bool tried = attempt(describe(knob), [&] {
      if (knob == kNoout && !altered_.empty())
        throw environment_error("stays as long as daemons are not back");
      if (same_knob_value(at->second, found_.at(knob))) return;
      changed = true;
      set(knob, found_.at(knob));
    });
    if (tried) done.push_back(knob);
  }
  // All of them once more: the balancer's switch, for one, sets an option of its own.
  if (changed) present = read_what_can_be(done, attempt);
  for (const Knob& knob : done) {
    const auto at = present.find(knob);
    if (at == present.end()) continue;
    attempt(describe(knob), [&] {
      const KnobValue& before = found_.at(knob);
      KnobValue after = at->second;
      if (!same_knob_value(after, before)) {
        set(knob, before);
        after = board_of(knob).read(knob);
      }
      if (!same_knob_value(after, before))
        throw environment_error("was {}, is {}", shown(before), shown(after));
      now_[knob] = before;
    });
  }
}

void Tuner::restore(bool complete) {
  if (journal_.empty()) return;
  const HoldInterrupts hold;
  std::vector<std::string> failures;
  const Attempt attempt = [&](const std::string& what, const std::function<void()>& action) {
    try {
      action();
      return true;
    } catch (const std::exception& e) {
      failures.push_back(fmt::format("{}: {}", what, e.what()));
      return false;
    }
  };
  std::vector<Knob> values;
  std::vector<Knob> calm;
  for (auto knob = order_.rbegin(); knob != order_.rend(); ++knob)
    (keeps_calm(*knob) ? calm : values).push_back(*knob);
  fail_point("restore: before");
  put_back(values, attempt);
  fail_point("restore: values");
  restart_altered(attempt);
  fail_point("restore: daemons");
  // Data that has moved since is at its place again before the cluster is left to itself.
  // From another host the daemons cannot be put back, and nothing becomes clean before they are.
  if (complete && failures.empty() && std::any_of(order_.begin(), order_.end(), moves_data)) {
    try {
      cluster_.wait_clean(kCleanLimit);
    } catch (const std::exception& e) {
      // All is set as it was: the cluster goes on by itself.
      say_(fmt::format("the OSDs are back, and their data still on the way: {}", e.what()));
    }
  }
  put_back(calm, attempt);
  fail_point("restore: flags");
  if (!failures.empty())
    throw Error(Exit::not_restored,
                fmt::format("not put back: {}\nWhat was changed stands in the journal and in the "
                            "cluster; when the cause is gone: lab restore",
                            join(failures, "; ")));
  if (!complete) return;
  journal_.close();
  found_.clear();
  now_.clear();
  order_.clear();
  altered_.clear();
  recorded_.clear();
}

}  // namespace lab
