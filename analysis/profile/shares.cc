#include "analysis/profile/shares.h"

#include <algorithm>
#include <set>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis::profile {
namespace {

constexpr double kConfidence = 0.95;

// A process and what it is compared with.
struct Pair {
  std::string name;
  const Process* before;
  const Process* now;
};

std::vector<std::string> file_names_missing(const Profile& profile, const Profile& other) {
  std::vector<std::string> names;
  for (const auto& [name, process] : profile.processes)
    if (process.named_by_file && !other.processes.contains(name)) names.push_back(name);
  return names;
}

std::vector<Pair> pairs_of(const Profile& now, const Profile* before) {
  std::vector<Pair> pairs;
  if (!before) {
    for (const auto& [name, process] : now.processes) pairs.push_back({name, nullptr, &process});
    return pairs;
  }
  const std::vector<std::string> alone_now = file_names_missing(now, *before);
  const std::vector<std::string> alone_before = file_names_missing(*before, now);
  const bool one_each = alone_now.size() == 1 && alone_before.size() == 1;
  if (!one_each && !alone_now.empty() && !alone_before.empty())
    throw usage_error(
        "--base: which of {} belongs to which of {}? Files are compared by their names: give those "
        "of one process the same name in two folders",
        first_few(alone_before, 3), first_few(alone_now, 3));
  const auto of = [](const Profile& profile, const std::string& name) -> const Process* {
    const auto found = profile.processes.find(name);
    return found == profile.processes.end() ? nullptr : &found->second;
  };
  for (const auto& [name, process] : now.processes)
    pairs.push_back(
        {name, of(*before, one_each && name == alone_now[0] ? alone_before[0] : name), &process});
  for (const auto& [name, process] : before->processes)
    if (!of(now, name) && !(one_each && name == alone_before[0]))
      pairs.push_back({name, &process, nullptr});
  return pairs;
}

// Builds the rows of one process.
class Rows {
 public:
  Rows(const ShareOptions& options, bool samples) : options_(options), samples_(samples) {}

  std::vector<ShareRow> of(const Pair& pair) const {
    std::set<std::string> places;
    for (const Process* side : {pair.before, pair.now})
      if (side)
        for (const auto& [name, place] : side->places)
          if (weight(place) > 0) places.insert(name);
    std::vector<ShareRow> rows;
    rows.reserve(places.size());
    for (const std::string& name : places) rows.push_back(row(name, pair));
    std::stable_sort(rows.begin(), rows.end(), [](const ShareRow& a, const ShareRow& b) {
      return std::pair(larger(a), now_of(a)) > std::pair(larger(b), now_of(b));
    });
    return rows;
  }

 private:
  static double now_of(const ShareRow& row) { return row.now ? row.now->share : 0; }
  static double larger(const ShareRow& row) {
    return std::max(now_of(row), row.before ? row.before->share : 0);
  }

  double weight(const Place& place) const { return options_.self ? place.self : place.inclusive; }

  std::optional<PlaceShare> share(const Process* side, const std::string& name) const {
    if (!side) return {};
    PlaceShare share;
    // A place that the other side has is there with 0.
    if (const auto found = side->places.find(name); found != side->places.end())
      share.weight = weight(found->second);
    share.share = share.weight / side->total;
    if (samples_) share.interval = stats::wilson({share.weight, side->total}, kConfidence);
    return share;
  }

  ShareRow row(const std::string& name, const Pair& pair) const {
    ShareRow row;
    row.where = name;
    row.before = share(pair.before, name);
    row.now = share(pair.now, name);
    if (!row.before || !row.now) return row;
    row.difference = row.now->share - row.before->share;
    if (!samples_) return row;
    row.difference_interval = stats::share_difference(
        {row.before->weight, pair.before->total}, {row.now->weight, pair.now->total}, kConfidence);
    row.within_noise = row.difference_interval->low <= 0 && row.difference_interval->high >= 0;
    return row;
  }

  const ShareOptions& options_;
  bool samples_;
};

std::optional<SideTotal> total_of(const Process* side) {
  if (!side) return {};
  return SideTotal{side->total, side->in_focus, side->unresolved, side->processes};
}

}  // namespace

ShareTable shares(const Profile& now, const Profile* before, const ShareOptions& options) {
  if (before && (before->unit != now.unit || before->stacks != now.stacks))
    throw usage_error(
        "--base: {} {} can't be compared with {} {}; use the same form and the same kind of "
        "profile for both",
        before->stacks ? "stacks by" : "sums of", before->unit,
        now.stacks ? "stacks by" : "sums of", now.unit);
  ShareTable table;
  table.unit = now.unit;
  table.options = options;
  table.compared = before != nullptr;
  for (const Pair& pair : pairs_of(now, before)) {
    ProcessShares process{pair.name, total_of(pair.before), total_of(pair.now), {}, 0};
    process.rows = Rows(options, now.unit == "samples").of(pair);
    if (options.top > 0 && process.rows.size() > options.top) {
      process.left_out = process.rows.size() - options.top;
      process.rows.resize(options.top);
    }
    table.processes.push_back(std::move(process));
  }
  const auto total = [](const ProcessShares& process) {
    return std::max(process.now ? process.now->total : 0,
                    process.before ? process.before->total : 0);
  };
  std::stable_sort(
      table.processes.begin(), table.processes.end(),
      [&](const ProcessShares& a, const ProcessShares& b) { return total(a) > total(b); });
  table.notes = now.notes;
  if (before) table.notes.insert(table.notes.end(), before->notes.begin(), before->notes.end());
  return table;
}

std::vector<std::string> unresolved_warnings(const ShareTable& table) {
  std::vector<std::string> warnings;
  for (const ProcessShares& process : table.processes)
    for (const auto* side : {&process.before, &process.now}) {
      if (!*side || !((*side)->unresolved > kMostUnresolved * (*side)->total)) continue;
      warnings.push_back(fmt::format(
          "{}{}: {:.1f}% of the {} are in functions without a name: install the debug symbols of "
          "what was measured and print the profile again",
          process.name,
          !table.compared           ? ""
          : side == &process.before ? " (before)"
                                    : " (after)",
          100 * (*side)->unresolved / (*side)->total, table.unit));
    }
  return warnings;
}

}  // namespace lab::analysis::profile
