#include "runner/base/json.h"

#include "analysis/render/json_number.h"
#include "analysis/render/renderer.h"
#include "analysis/render/wording.h"

namespace lab::analysis {
namespace {

OrderedJson optional(const std::optional<double>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

// Of a ratio: 1.05 is 5.
OrderedJson percent(double ratio) { return json_number((ratio - 1) * 100); }

OrderedJson summary(const Summary& s) {
  if (!s.planned) return nullptr;
  OrderedJson j = {{"iops", optional(s.iops)},
                   {"iops_without_flush", optional(s.raw_iops)},
                   {"mean_ms", optional(s.mean_ms)},
                   {"p99_ms", optional(s.p99_ms)},
                   {"spread_percent", optional(s.spread_percent)},
                   {"difference_percent", optional(s.difference_percent)}};
  if (!s.judgement) return j;
  j["verdict"] = s.verdict();
  j["interval95_percent"] = {percent(s.judgement->interval95.low),
                             percent(s.judgement->interval95.high)};
  j["p_holm"] = json_number(s.judgement->p_holm);
  j["detectable_percent"] = percent(1 + s.judgement->detectable);
  return j;
}

OrderedJson repetition(const Repetition& r) {
  return {{"run", r.run},
          {"block", r.block},
          {"position", r.position},
          {"w_iops", optional(r.write_iops)},
          {"w_iops_without_flush", optional(r.raw_write_iops)},
          {"r_iops", optional(r.read_iops)},
          {"flush_s", r.flush_s}};
}

OrderedJson row_json(const TableRow& row) {
  OrderedJson levels = OrderedJson::object();
  for (const auto& [factor, level] : row.levels) levels[factor] = level;
  OrderedJson j = {{"row", row.plan.row},
                   {"cell", row.plan.cell},
                   {"test", row.test},
                   {"type", row.plan.type},
                   {"levels", levels},
                   {"baseline", row.baseline},
                   {"control", row.control},
                   {"block_bytes", row.plan.block_bytes},
                   {"iodepth", row.plan.iodepth},
                   {"numjobs", row.plan.numjobs},
                   {"write", summary(row.write)},
                   {"read", summary(row.read)},
                   {"flush_s", row.flush_s},
                   {"repetitions_done", row.repetitions.size()},
                   {"repetitions_failed", row.repetitions_failed},
                   {"repetitions_planned", row.repetitions_planned}};
  // What is long is put in its place: a list in braces would be copied.
  OrderedJson& repetitions = j["repetitions"] = OrderedJson::array();
  for (const Repetition& r : row.repetitions) repetitions.push_back(repetition(r));
  j["proof"] = to_text(row.proof);
  j["marks"] = row.marks;
  return j;
}

}  // namespace

std::string JsonRenderer::render(const Table& table) const {
  OrderedJson manifest = results::to_json(table.manifest);
  OrderedJson header = OrderedJson::object();
  for (const auto& [key, text] : conditions(table)) header[key] = text;
  OrderedJson out = {{"format", 1},
                     {"title", table.manifest.title},
                     {"target", table.manifest.target},
                     {"matrix", table.manifest.matrix},
                     {"conditions", header},
                     {"osds", manifest["osds"]},
                     {"headline", table.headline}};
  OrderedJson& rows = out["rows"] = OrderedJson::array();
  for (const TableRow& row : table.rows) rows.push_back(row_json(row));
  OrderedJson& marks = out["marks"] = OrderedJson::array();
  for (const TableMark& mark : table.marks) {
    marks.push_back(results::to_json(mark.mark));
    marks.back()["runs"] = mark.runs;
  }
  out["general_marks"] = table.general_marks;
  out["findings"] = table.findings;
  if (table.manifest.overhead) out["overhead"] = manifest["overhead"];
  auto worst = table.worst_mark();
  out["worst_mark"] = worst ? OrderedJson(to_text(*worst)) : OrderedJson(nullptr);
  return json_text(out);
}

}  // namespace lab::analysis
