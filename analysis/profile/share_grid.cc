#include "analysis/profile/share_grid.h"

#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis::profile {
namespace {

std::string percent(std::optional<double> share) {
  return share ? fmt::format("{:.1f}", *share * 100) : "-";
}

std::string percent_text(const std::optional<PlaceShare>& side) {
  return percent(side ? std::optional(side->share) : std::nullopt);
}

std::string interval_text(const std::optional<PlaceShare>& side) {
  if (!side || !side->interval) return "-";
  return percent(side->interval->low) + " to " + percent(side->interval->high);
}

std::string difference_text(const ShareRow& row) {
  return row.difference ? fmt::format("{:+.1f}", *row.difference * 100) : "-";
}

std::string difference_interval_text(const ShareRow& row) {
  if (!row.difference_interval) return "-";
  return fmt::format("{:+.1f} to {:+.1f}", row.difference_interval->low * 100,
                     row.difference_interval->high * 100);
}

std::string amount(const std::string& unit, double value) {
  if (unit == "bytes") return format_bytes(static_cast<uint64_t>(value));
  if (unit == "seconds") return fmt::format("{:.3f} s", value);
  if (unit == "samples" && value == 1) return "1 sample";
  return fmt::format("{:.0f} {}", value, unit);
}

std::string side_text(const ShareTable& table, const SideTotal& side) {
  std::string text = amount(table.unit, side.total);
  if (side.processes > 1) text += fmt::format(" of {} processes", side.processes);
  if (!table.options.focus.empty())
    text += fmt::format(", {:.1f}% in focus", 100 * side.in_focus / side.total);
  if (side.unresolved > 0)
    text +=
        fmt::format(", {:.1f}% in functions without a name", 100 * side.unresolved / side.total);
  return text;
}

std::string total_text(const ShareTable& table, const ProcessShares& process) {
  const auto text = [&](const std::optional<SideTotal>& side) {
    return side ? side_text(table, *side) : std::string("not there");
  };
  const std::string now = text(process.now);
  return process.name + ": " + (table.compared ? text(process.before) + " → " + now : now);
}

// Builds the columns over all rows of all processes.
class Builder {
 public:
  Builder(const ShareTable& table, Format format)
      : table_(table),
        people_(format == Format::table || format == Format::markdown),
        samples_(table.unit == "samples") {
    size_t rows = 0;
    for (const ProcessShares& process : table.processes) rows += process.rows.size();
    grid_.rows.resize(rows);
  }

  Grid build() {
    add(people_ ? "Process" : "process", false,
        [](const ProcessShares& p, const ShareRow&) { return Field{p.name}; });
    add(people_ ? "Where" : "where", false,
        [](const ProcessShares&, const ShareRow& row) { return Field{row.where}; });
    grid_.columns.back().gives_way = true;
    grid_.keys = grid_.columns.size();
    people_ ? add_people() : add_spreadsheet();
    if (people_) add_words();
    return std::move(grid_);
  }

 private:
  using Side = std::optional<PlaceShare> ShareRow::*;
  using Total = std::optional<SideTotal> ProcessShares::*;

  template <typename Make>
  void add(const std::string& title, bool right, Make field) {
    grid_.columns.push_back({title, right});
    size_t at = 0;
    for (const ProcessShares& process : table_.processes)
      for (const ShareRow& row : process.rows) grid_.rows[at++].push_back(field(process, row));
  }

  template <typename Text>
  void add_text(const std::string& title, Text text) {
    add(title, true, [&](const ProcessShares&, const ShareRow& row) { return Field{text(row)}; });
  }

  void add_side_text(const std::string& title, Side side) {
    add_text(title, [side](const ShareRow& row) { return percent_text(row.*side); });
    if (samples_)
      add_text(table_.compared ? "95% interval" : "95% interval %",
               [side](const ShareRow& row) { return interval_text(row.*side); });
  }

  void add_people() {
    if (!table_.compared) return add_side_text("share %", &ShareRow::now);
    add_side_text("before %", &ShareRow::before);
    add_side_text("after %", &ShareRow::now);
    add_text("points", difference_text);
    if (!samples_) return;
    add_text("95% interval", difference_interval_text);
    add("", false, [](const ProcessShares&, const ShareRow& row) {
      return Field{row.within_noise ? "within noise" : ""};
    });
  }

  void add_side_numbers(const std::string& prefix, Side side, Total total) {
    const auto number = [&](const std::string& name, int decimals, auto value) {
      add(prefix + name, true, [=](const ProcessShares& process, const ShareRow& row) {
        return number_field(row.*side ? value(process, *(row.*side)) : std::nullopt, decimals);
      });
    };
    using Number = std::optional<double>;
    number("share_percent", 4,
           [](const ProcessShares&, const PlaceShare& s) -> Number { return s.share * 100; });
    if (samples_) {
      number("standard_error_points", 4,
             [total](const ProcessShares& p, const PlaceShare& s) -> Number {
               return 100 * stats::standard_error({s.weight, (p.*total)->total});
             });
      number("low_percent", 4, [](const ProcessShares&, const PlaceShare& s) -> Number {
        return s.interval->low * 100;
      });
      number("high_percent", 4, [](const ProcessShares&, const PlaceShare& s) -> Number {
        return s.interval->high * 100;
      });
    }
    const int decimals = table_.unit == "seconds" ? 3 : 0;
    number(table_.unit, decimals,
           [](const ProcessShares&, const PlaceShare& s) -> Number { return s.weight; });
    number(
        "total_" + table_.unit, decimals,
        [total](const ProcessShares& p, const PlaceShare&) -> Number { return (p.*total)->total; });
  }

  void add_spreadsheet() {
    if (!table_.compared) return add_side_numbers("", &ShareRow::now, &ProcessShares::now);
    add_side_numbers("before_", &ShareRow::before, &ProcessShares::before);
    add_side_numbers("after_", &ShareRow::now, &ProcessShares::now);
    const auto points = [&](const char* title, auto value) {
      add(title, true, [=](const ProcessShares&, const ShareRow& row) {
        const std::optional<double> share = value(row);
        return number_field(share ? std::optional(*share * 100) : std::nullopt, 4);
      });
    };
    points("difference_points", [](const ShareRow& row) { return row.difference; });
    if (!samples_) return;
    using Number = std::optional<double>;
    points("difference_low_points", [](const ShareRow& row) -> Number {
      return row.difference_interval ? Number(row.difference_interval->low) : Number();
    });
    points("difference_high_points", [](const ShareRow& row) -> Number {
      return row.difference_interval ? Number(row.difference_interval->high) : Number();
    });
    add("within_noise", false, [](const ProcessShares&, const ShareRow& row) {
      return Field{!row.difference ? "" : row.within_noise ? "yes" : "no"};
    });
  }

  void add_words() {
    grid_.title = fmt::format("Where the {} are, {}{}", table_.unit,
                              table_.options.self ? "by the innermost frame" : "inclusive",
                              table_.compared ? ", before → after" : "");
    if (!table_.options.focus.empty())
      grid_.before.push_back("focus: only stacks that hold \"" + table_.options.focus + "\"");
    for (const ProcessShares& process : table_.processes)
      grid_.before.push_back(total_text(table_, process));
    for (const ProcessShares& process : table_.processes)
      if (process.left_out > 0)
        grid_.after.push_back(
            fmt::format("{}: {} more places, with smaller shares, are left out "
                        "(--top=0 shows all).",
                        process.name, process.left_out));
    for (const std::string& warning : unresolved_warnings(table_))
      grid_.after.push_back(warning + ".");
    for (const std::string& note : table_.notes) grid_.after.push_back(note + ".");
    grid_.after.push_back(fmt::format("Share: of all {} of the process{}.", table_.unit,
                                      table_.options.self
                                          ? ", in the function itself"
                                          : ", in the function and all that it called; a function "
                                            "that calls itself counts once a stack"));
    if (samples_ && !table_.compared)
      grid_.after.emplace_back(
          "95% interval: of sampling alone (Wilson); another run may differ by more.");
    if (samples_ && table_.compared)
      grid_.after.emplace_back(
          "95% intervals: of sampling alone (Wilson, and Newcombe for the difference in points); "
          "another run may differ by more. Within noise: the difference's interval includes 0. Of "
          "twenty equal places about one is outside by chance.");
    if (!samples_)
      grid_.after.push_back(fmt::format(
          "No intervals: from how many samples these {} were estimated is not told.", table_.unit));
  }

  const ShareTable& table_;
  bool people_;
  bool samples_;
  Grid grid_;
};

}  // namespace

Grid share_grid(const ShareTable& table, Format format) { return Builder(table, format).build(); }

}  // namespace lab::analysis::profile
