#include "runner/plan/matrix.h"

#include <algorithm>
#include <set>

#include "runner/base/paths.h"
#include "runner/base/text.h"

namespace lab {
namespace {

// Names stand in folders, tables and on terminals.
void check_name(const JsonObject& object, std::string_view key, const std::string& name) {
  if (name.empty()) throw object.error(key, fmt::format("\"{}\" is empty", key));
  for (char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      throw object.error(key, fmt::format("\"{}\" holds a control character", key));
}

Level parse_level(const JsonDocument& document, const std::string& pointer) {
  JsonObject object(document, pointer);
  Level level;
  level.name = object.text("name");
  level.label = object.text_or("label", level.name);
  check_name(object, "name", level.name);
  check_name(object, "label", level.label);
  for (const std::string& setting : object.array("settings"))
    level.settings.push_back(parse_setting(document, setting));
  object.finish();
  return level;
}

}  // namespace

bool Factor::acts_on(const std::string& target) const {
  return targets.empty() || std::find(targets.begin(), targets.end(), target) != targets.end();
}

Factor parse_factor(const JsonDocument& document) {
  JsonObject root(document, "");
  Factor factor;
  factor.name = root.text("factor");
  check_name(root, "factor", factor.name);
  factor.title = root.text("title");
  check_name(root, "title", factor.title);
  if (root.has("targets"))
    for (const std::string& pointer : root.array("targets")) {
      const OrderedJson& target = document.root().at(OrderedJson::json_pointer(pointer));
      if (!target.is_string()) throw document.error_at(pointer, "a target is a text");
      factor.targets.push_back(target.get<std::string>());
    }
  if (root.has("hold"))
    for (const std::string& setting : root.array("hold"))
      factor.hold.push_back(parse_setting(document, setting));
  factor.restarts = root.flag_or("restart", false);
  if (root.has("plausible_ratio")) {
    factor.plausible_ratio = root.real("plausible_ratio");
    if (!(*factor.plausible_ratio > 1))
      throw root.error(
          "plausible_ratio",
          "\"plausible_ratio\" is how many times the baseline's IOPS a level's may be: "
          "a number above 1");
  }
  std::string baseline = root.text("baseline");
  std::vector<std::string> names;
  for (const std::string& pointer : root.array("levels")) {
    Level level = parse_level(document, pointer);
    if (std::find(names.begin(), names.end(), level.name) != names.end())
      throw document.error_at(pointer + "/name",
                              fmt::format("level \"{}\" stands twice", level.name));
    names.push_back(level.name);
    factor.restarts = factor.restarts ||
                      std::any_of(level.settings.begin(), level.settings.end(), always_restarts);
    factor.levels.push_back(std::move(level));
  }
  root.finish();
  if (factor.levels.empty()) throw root.error("levels", "a factor needs at least one level");
  auto found = std::find(names.begin(), names.end(), baseline);
  if (found == names.end()) {
    std::string text = fmt::format("baseline \"{}\" is none of the levels", baseline);
    if (auto near = nearest(baseline, names)) text += fmt::format(" (did you mean \"{}\"?)", *near);
    throw root.error("baseline", text);
  }
  auto first = factor.levels.begin();
  std::rotate(first, first + (found - names.begin()), first + (found - names.begin()) + 1);
  return factor;
}

namespace {

// Only these levels of a factor; the first of them is the baseline if the file's is left out.
void choose_levels(Factor& factor, const std::string& names) {
  std::vector<std::string> known;
  for (const Level& level : factor.levels) known.push_back(level.name);
  std::vector<std::string> chosen;
  for (const std::string& part : split(names, '+')) {
    chosen.emplace_back(trim(part));
    if (std::find(known.begin(), known.end(), chosen.back()) != known.end()) continue;
    std::string text =
        fmt::format("--matrix: factor {} has no level \"{}\"", factor.name, chosen.back());
    if (auto near = nearest(chosen.back(), known))
      text += fmt::format(" (did you mean \"{}\"?)", *near);
    throw usage_error("{}; it has {}", text, join(known, ", "));
  }
  std::vector<Level> levels;
  const bool with_baseline = std::find(chosen.begin(), chosen.end(), known[0]) != chosen.end();
  const std::string first = with_baseline ? known[0] : chosen[0];
  for (const Level& level : factor.levels)
    if (level.name == first) levels.push_back(level);
  for (const Level& level : factor.levels)
    if (level.name != first && std::find(chosen.begin(), chosen.end(), level.name) != chosen.end())
      levels.push_back(level);
  factor.levels = std::move(levels);
}

}  // namespace

std::vector<Factor> load_matrix(const std::string& names, const fs::path& directory) {
  std::vector<Factor> factors;
  if (trim(names).empty()) return factors;
  std::set<std::string> seen;
  for (const std::string& part : split(names, ',')) {
    const size_t equals = part.find('=');
    Factor factor = parse_factor(JsonDocument::load(
        find_shipped("--matrix", "matrix", std::string(trim(part.substr(0, equals))), directory)));
    if (equals != std::string::npos) choose_levels(factor, part.substr(equals + 1));
    if (!seen.insert(factor.name).second)
      throw usage_error("--matrix: factor \"{}\" is named twice", factor.name);
    factors.push_back(std::move(factor));
  }
  return factors;
}

Cell control_of(const Cell& baseline) {
  Cell control = baseline;
  control.name += "~again";
  control.label += " again";
  control.control_of = baseline.name;
  // Applied by a restart of its own.
  if (!control.restart.empty()) control.restart += "~again";
  return control;
}

namespace {

// Both of a cell's factors would set it, and the cell could be named after one of them only.
void check_overlap(const std::vector<Setting>& earlier, const Level& level,
                   const std::string& cell) {
  for (const Setting& own : level.settings)
    for (const Setting& other : earlier) {
      const std::vector<Setting> left = in_force({other, own});
      if (left.size() == 2 && describe(left[0]) == describe(other)) continue;
      throw usage_error("cell {}: two factors set the same: \"{}\" and \"{}\"", cell,
                        describe(other), describe(own));
    }
}

}  // namespace

std::vector<Cell> cross(const std::vector<Factor>& factors) {
  if (factors.empty()) return {Cell{"as-is", "as_is", {}, {}, {}, {}}};
  Cell first;
  for (const Factor& factor : factors)
    first.settings.insert(first.settings.end(), factor.hold.begin(), factor.hold.end());
  const size_t held = first.settings.size();
  std::vector<Cell> cells = {first};
  for (const Factor& factor : factors) {
    std::vector<Cell> crossed;
    for (const Cell& cell : cells) {
      for (const Level& level : factor.levels) {
        Cell next = cell;
        next.name += (next.name.empty() ? "" : "+") + level.name;
        next.label += (next.label.empty() ? "" : " ") + level.label;
        next.levels[factor.name] = level.name;
        if (factor.restarts) next.restart += (next.restart.empty() ? "" : "+") + level.name;
        check_overlap({cell.settings.begin() + static_cast<ptrdiff_t>(held), cell.settings.end()},
                      level, next.name);
        next.settings.insert(next.settings.end(), level.settings.begin(), level.settings.end());
        crossed.push_back(std::move(next));
      }
    }
    cells = std::move(crossed);
  }
  return cells;
}

}  // namespace lab
