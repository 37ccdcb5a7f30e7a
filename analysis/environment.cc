#include "analysis/environment.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// What comparability.h holds against a pair of rows, and what differs between any two
// measurements.
constexpr std::array<std::string_view, 6> kNotHere = {"created", "block size", "iodepth",
                                                      "numjobs", "image size", "target"};

using Texts = std::vector<std::pair<std::string, std::string>>;

std::string listed(const std::set<std::string>& values) {
  return first_few({values.begin(), values.end()}, 4);
}

std::string hosts(const results::Manifest& manifest) {
  std::set<std::string> names;
  for (const results::OsdRecord& osd : manifest.osds)
    if (!osd.host.empty()) names.insert(osd.host);
  return listed(names);
}

std::string clusters(const Side& side, const std::string& cell) {
  std::set<std::string> fsids;
  for (const RunFigures& run : side.table.runs)
    if (run.usable && run.record.cell == cell && !run.record.fsid.empty())
      fsids.insert(run.record.fsid);
  return listed(fsids);
}

Texts environment(const Side& side, const std::string& cell) {
  const results::Manifest& manifest = side.table.manifest;
  Texts out = {{"lab", manifest.lab}, {"target", manifest.target}};
  for (const auto& [key, text] : conditions(side.table)) {
    if (std::find(kNotHere.begin(), kNotHere.end(), key) != kNotHere.end()) continue;
    // "rbd/NAME, 2 GiB, …": every measurement makes an image with a name of its own.
    const size_t comma = key == "image" ? text.find(',') : std::string::npos;
    out.emplace_back(key,
                     comma == std::string::npos ? text : std::string(trim(text.substr(comma + 1))));
  }
  out.emplace_back("hosts of the OSDs", hosts(manifest));
  out.emplace_back("cluster (fsid)", clusters(side, cell));
  return out;
}

// Both in the order of `before`, then what only `after` has.
std::vector<Difference> differences(const Texts& before, const Texts& after) {
  auto find = [](const Texts& texts, const std::string& key) {
    auto found =
        std::find_if(texts.begin(), texts.end(), [&](const auto& t) { return t.first == key; });
    return found == texts.end() || found->second.empty() ? std::string("-") : found->second;
  };
  std::vector<std::string> keys;
  for (const Texts* texts : {&before, &after})
    for (const auto& [key, unused] : *texts)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  std::vector<Difference> out;
  for (const std::string& key : keys) {
    Difference difference{key, find(before, key), find(after, key)};
    if (difference.before != difference.after) out.push_back(std::move(difference));
  }
  return out;
}

struct Setting {
  std::set<std::string> asked, effective;
};

std::map<std::string, Setting> settings(const Side& side, const std::string& cell) {
  std::map<std::string, Setting> out;
  for (const RunFigures& run : side.table.runs) {
    if (run.record.cell != cell) continue;
    for (const results::SettingProof& s : run.record.settings) {
      out[s.name].asked.insert(s.asked);
      out[s.name].effective.insert(s.effective);
    }
  }
  return out;
}

// Of the settings by name, as texts: what was asked, or what was in effect where the same
// was asked on both sides.
std::vector<Difference> setting_differences(const std::map<std::string, Setting>& before,
                                            const std::map<std::string, Setting>& after,
                                            bool asked) {
  Texts a;
  Texts b;
  std::set<std::string> names;
  for (const auto* side : {&before, &after})
    for (const auto& [name, unused] : *side) names.insert(name);
  for (const std::string& name : names) {
    const auto x = before.find(name);
    const auto y = after.find(name);
    const bool both = x != before.end() && y != after.end();
    if (!asked && (!both || x->second.asked != y->second.asked)) continue;
    const std::string key = name + (asked ? "" : ", in effect");
    if (x != before.end())
      a.emplace_back(key, listed(asked ? x->second.asked : x->second.effective));
    if (y != after.end())
      b.emplace_back(key, listed(asked ? y->second.asked : y->second.effective));
  }
  return differences(a, b);
}

}  // namespace

std::vector<Difference> asked_differences(const Side& before, const std::string& cell_before,
                                          const Side& after, const std::string& cell_after) {
  const results::Cell* a = before.plan.find_cell(cell_before);
  const results::Cell* b = after.plan.find_cell(cell_after);
  std::vector<Difference> levels = differences(a ? a->levels : Texts(), b ? b->levels : Texts());
  if (!levels.empty()) return levels;
  return setting_differences(settings(before, cell_before), settings(after, cell_after), true);
}

std::vector<Difference> other_differences(const Side& before, const std::string& cell_before,
                                          const Side& after, const std::string& cell_after) {
  std::vector<Difference> out =
      differences(environment(before, cell_before), environment(after, cell_after));
  for (Difference& difference :
       setting_differences(settings(before, cell_before), settings(after, cell_after), false))
    out.push_back(std::move(difference));
  return out;
}

}  // namespace lab::analysis
