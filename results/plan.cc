#include "results/plan.h"

#include <algorithm>
#include <set>

namespace lab::results {
namespace {

// A table has a line for each row up to the last one, planned or not.
constexpr unsigned kLastRow = 100000;

Cell read_cell(const JsonDocument& document, const std::string& at) {
  JsonObject o(document, at);
  Cell cell;
  cell.name = o.text("name");
  cell.test = o.text_or("test", cell.name);
  if (o.has("levels")) {
    JsonObject levels = o.object("levels");
    for (const auto& [factor, unused] : levels.json().items())
      cell.levels.emplace_back(factor, levels.text(factor));
  }
  if (o.has("settings")) cell.settings = o.value("settings");
  cell.control_of = o.text_or("control_of", "");
  cell.restart = o.text_or("restart", "");
  if (o.has("expect")) cell.expect = o.value("expect");
  return cell;
}

Factor read_factor(const JsonDocument& document, const std::string& at) {
  JsonObject o(document, at);
  Factor factor;
  factor.name = o.text("name");
  if (o.has("plausible_ratio")) {
    factor.plausible_ratio = o.real("plausible_ratio");
    if (!(*factor.plausible_ratio > 1))
      throw o.error("plausible_ratio", "a plausible ratio is above 1");
  }
  return factor;
}

Phase read_phase(const JsonDocument& document, const std::string& at) {
  JsonObject o(document, at);
  Phase phase;
  for (const std::string& section : o.array("sections")) {
    const OrderedJson& v = document.root().at(OrderedJson::json_pointer(section));
    if (!v.is_string()) throw document.error_at(section, "a section's name must be a text");
    phase.sections.push_back(v.get<std::string>());
  }
  phase.write = o.flag_or("write", false);
  phase.read = o.flag_or("read", false);
  return phase;
}

std::optional<unsigned> read_phase_index(JsonObject& o, std::string_view key, size_t phases) {
  if (!o.has(key) || o.value(key).is_null()) return {};
  uint64_t index = o.number(key);
  if (index >= phases)
    throw o.error(key, fmt::format("there is no phase {}: the plan has {}", index, phases));
  return static_cast<unsigned>(index);
}

// The name of a cell that the plan has.
std::string read_cell_name(JsonObject& o, const Plan& plan) {
  std::string name = o.text("cell");
  if (!plan.find_cell(name)) throw o.error("cell", fmt::format("there is no cell \"{}\"", name));
  return name;
}

}  // namespace

std::string level_of(const Levels& levels, const std::string& factor) {
  for (const auto& [name, level] : levels)
    if (name == factor) return level;
  return "";
}

const Cell* Plan::find_cell(const std::string& name) const {
  auto found =
      std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) { return cell.name == name; });
  return found == cells.end() ? nullptr : &*found;
}

const PlannedRun* Plan::find_run(unsigned index) const {
  // Runs are numbered as they stand: nearly always it is in its own place.
  if (index > 0 && index <= runs.size() && runs[index - 1].index == index) return &runs[index - 1];
  auto found = std::find_if(runs.begin(), runs.end(),
                            [&](const PlannedRun& run) { return run.index == index; });
  return found == runs.end() ? nullptr : &*found;
}

size_t Plan::repetitions(const std::string& cell) const {
  return static_cast<size_t>(std::count_if(
      runs.begin(), runs.end(), [&](const PlannedRun& run) { return run.cell == cell; }));
}

Plan plan_from_json(const JsonDocument& document) {
  JsonObject o(document, "");
  Plan plan;
  plan.seed = o.number_or("seed", 0);
  if (o.has("factors"))
    for (const std::string& at : o.array("factors"))
      plan.factors.push_back(read_factor(document, at));
  for (const std::string& at : o.array("cells")) {
    Cell cell = read_cell(document, at);
    if (plan.find_cell(cell.name))
      throw document.error_at(at, fmt::format("cell \"{}\" stands twice in the plan", cell.name));
    plan.cells.push_back(std::move(cell));
  }
  if (o.has("left_out"))
    for (const std::string& at : o.array("left_out")) {
      JsonObject left(document, at);
      plan.left_out.push_back({left.text("cell"), left.text("reason")});
    }
  for (const std::string& at : o.array("phases")) plan.phases.push_back(read_phase(document, at));
  std::set<unsigned> numbers;
  for (const std::string& at : o.array("rows")) {
    JsonObject r(document, at);
    Row row;
    row.row = static_cast<unsigned>(r.number("row"));
    if (row.row < 2 || !numbers.insert(row.row).second)
      throw r.error("row", "row numbers begin at 2 and stand once each");
    if (row.row > kLastRow)
      throw r.error(
          "row", fmt::format("row {} is beyond {}, the last that lab writes", row.row, kLastRow));
    row.cell = read_cell_name(r, plan);
    row.type = r.text("type");
    row.block_bytes = r.bytes("block_bytes");
    row.iodepth = static_cast<unsigned>(r.number_or("iodepth", 1));
    row.numjobs = static_cast<unsigned>(r.number_or("numjobs", 1));
    row.write_phase = read_phase_index(r, "write_phase", plan.phases.size());
    row.read_phase = read_phase_index(r, "read_phase", plan.phases.size());
    plan.rows.push_back(std::move(row));
  }
  std::set<unsigned> indexes;
  for (const std::string& at : o.array("runs")) {
    JsonObject r(document, at);
    PlannedRun run;
    run.index = static_cast<unsigned>(r.number("index"));
    if (run.index < 1 || !indexes.insert(run.index).second)
      throw r.error("index", "indexes of runs begin at 1 and stand once each");
    run.cell = read_cell_name(r, plan);
    run.block = static_cast<unsigned>(r.number("block"));
    run.position = static_cast<unsigned>(r.number("position"));
    run.mirrored = r.flag_or("mirrored", true);
    run.unit = static_cast<unsigned>(r.number_or("unit", 0));
    plan.runs.push_back(std::move(run));
  }
  return plan;
}

OrderedJson to_json(const Plan& plan) {
  OrderedJson factors = OrderedJson::array();
  for (const Factor& factor : plan.factors) {
    factors.push_back({{"name", factor.name}});
    if (factor.plausible_ratio) factors.back()["plausible_ratio"] = *factor.plausible_ratio;
  }
  OrderedJson cells = OrderedJson::array();
  for (const Cell& cell : plan.cells) {
    OrderedJson levels = OrderedJson::object();
    for (const auto& [factor, level] : cell.levels) levels[factor] = level;
    cells.push_back({{"name", cell.name},
                     {"test", cell.test},
                     {"levels", levels},
                     {"settings", cell.settings},
                     {"expect", cell.expect}});
    if (!cell.control_of.empty()) cells.back()["control_of"] = cell.control_of;
    if (!cell.restart.empty()) cells.back()["restart"] = cell.restart;
  }
  OrderedJson phases = OrderedJson::array();
  for (const Phase& phase : plan.phases)
    phases.push_back({{"sections", phase.sections}, {"write", phase.write}, {"read", phase.read}});
  auto index = [](std::optional<unsigned> phase) {
    return phase ? OrderedJson(*phase) : OrderedJson(nullptr);
  };
  OrderedJson rows = OrderedJson::array();
  for (const Row& row : plan.rows)
    rows.push_back({{"row", row.row},
                    {"cell", row.cell},
                    {"type", row.type},
                    {"block_bytes", row.block_bytes},
                    {"iodepth", row.iodepth},
                    {"numjobs", row.numjobs},
                    {"write_phase", index(row.write_phase)},
                    {"read_phase", index(row.read_phase)}});
  OrderedJson runs = OrderedJson::array();
  for (const PlannedRun& run : plan.runs) {
    runs.push_back({{"index", run.index},
                    {"cell", run.cell},
                    {"block", run.block},
                    {"position", run.position},
                    {"mirrored", run.mirrored}});
    if (run.unit > 0) runs.back()["unit"] = run.unit;
  }
  OrderedJson out = {{"seed", plan.seed}};
  if (!factors.empty()) out["factors"] = factors;
  out["cells"] = cells;
  for (const LeftOut& left : plan.left_out)
    out["left_out"].push_back({{"cell", left.cell}, {"reason", left.reason}});
  out["phases"] = phases;
  out["rows"] = rows;
  out["runs"] = runs;
  return out;
}

}  // namespace lab::results
