#include "analysis/profile/share_grid.h"
#include "analysis/render/json_number.h"
#include "runner/base/json.h"

namespace lab::analysis::profile {
namespace {

OrderedJson percent(double share) { return json_number(share * 100); }

OrderedJson interval(const std::optional<stats::Interval>& interval) {
  if (!interval) return nullptr;
  return {percent(interval->low), percent(interval->high)};
}

OrderedJson side(const std::optional<PlaceShare>& share, const std::optional<SideTotal>& total) {
  if (!share) return nullptr;
  OrderedJson j = {{"weight", share->weight}, {"share_percent", percent(share->share)}};
  j["interval95_percent"] = interval(share->interval);
  j["standard_error_points"] =
      share->interval ? percent(stats::standard_error({share->weight, total->total})) : nullptr;
  return j;
}

OrderedJson total(const std::optional<SideTotal>& side) {
  if (!side) return nullptr;
  OrderedJson j = {{"total", side->total},
                   {"in_focus", side->in_focus},
                   {"unresolved_percent", percent(side->unresolved / side->total)}};
  j["processes"] = side->processes > 0 ? OrderedJson(side->processes) : OrderedJson(nullptr);
  return j;
}

}  // namespace

std::string share_json(const ShareTable& table) {
  OrderedJson out = {{"format", 1},
                     {"unit", table.unit},
                     {"shares", table.options.self ? "self" : "inclusive"},
                     {"focus", table.options.focus},
                     {"compared", table.compared}};
  OrderedJson& processes = out["processes"] = OrderedJson::array();
  for (const ProcessShares& process : table.processes) {
    OrderedJson j = {{"name", process.name}};
    if (table.compared) j["before"] = total(process.before);
    j[table.compared ? "after" : "now"] = total(process.now);
    j["left_out"] = process.left_out;
    OrderedJson& rows = j["rows"] = OrderedJson::array();
    for (const ShareRow& row : process.rows) {
      OrderedJson r = {{"where", row.where}};
      if (table.compared) r["before"] = side(row.before, process.before);
      r[table.compared ? "after" : "now"] = side(row.now, process.now);
      if (table.compared) {
        r["difference_points"] = row.difference ? percent(*row.difference) : OrderedJson(nullptr);
        r["difference_interval95_points"] = interval(row.difference_interval);
        r["within_noise"] =
            row.difference_interval ? OrderedJson(row.within_noise) : OrderedJson(nullptr);
      }
      rows.push_back(std::move(r));
    }
    processes.push_back(std::move(j));
  }
  OrderedJson notes = OrderedJson::array();
  for (const std::string& warning : unresolved_warnings(table)) notes.push_back(warning);
  for (const std::string& note : table.notes) notes.push_back(note);
  out["notes"] = notes;
  return json_text(out);
}

}  // namespace lab::analysis::profile
