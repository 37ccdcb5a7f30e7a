// Whatever a file holds, `lab profile table` makes a table of it or says why not.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analysis/profile/read.h"
#include "analysis/profile/share_grid.h"
#include "runner/base/error.h"
#include "tests/csv.h"

namespace {

using namespace lab::analysis;
using namespace lab::analysis::profile;

void check(bool holds) {
  if (!holds) abort();
}

void check_profile(const ReadProfile& read, size_t lines) {
  check(read.damaged.count <= lines && read.damaged.first <= lines);
  check(!read.profile.processes.empty() && !read.profile.unit.empty());
  for (const auto& [name, process] : read.profile.processes) {
    // Sums of thousandths may be off by as little.
    const double most = process.total * (1 + 1e-9);
    check(std::isfinite(process.total) && process.total > 0);
    check(process.in_focus <= most);
    for (const auto& [where, place] : process.places) {
      check(!where.empty());
      check(place.self >= 0 && place.self <= most);
      check(place.inclusive >= 0 && place.inclusive <= most);
    }
  }
}

void check_table(const ShareTable& table) {
  for (const ProcessShares& process : table.processes)
    for (const ShareRow& row : process.rows)
      if (row.now && row.now->interval)
        check(row.now->interval->low >= 0 && row.now->interval->high <= 1 &&
              row.now->interval->low <= row.now->interval->high);
  for (Format format : {Format::table, Format::markdown, Format::tsv}) {
    lab::analysis::RenderOptions options;
    options.width = 60;
    check(!render_grid(share_grid(table, format), format, options).empty());
  }
  const auto records = lab::parse_csv(render_grid(share_grid(table, Format::csv), Format::csv));
  check(records.has_value());
  for (const lab::CsvRecord& record : *records) check(record.size() == records->front().size());
  check(!share_json(table).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  size_t lines = 1;
  for (char c : text) lines += c == '\n' ? 1 : 0;
  for (const char* focus : {"", "e"}) {
    try {
      const ReadProfile read = read_profile_text(text, "input", "input", {focus, ""});
      check_profile(read, lines);
      check_table(shares(read.profile, nullptr, {false, 20, focus}));
      check_table(shares(read.profile, &read.profile, {true, 0, focus}));
    } catch (const lab::Error& e) {
      check(e.status() == lab::Exit::usage);
    }
  }
  return 0;
}
