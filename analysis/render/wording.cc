#include "analysis/render/wording.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// Less than what fio's own clock resolves over a run is no flush.
constexpr double kFlushWorthTelling_s = 0.05;

// 0 is what an imported file did not tell.
std::string count_text(unsigned count) { return count == 0 ? "?" : fmt::format("{}", count); }

// "4k" or "4k, 64k": the distinct values of the rows in their order.
template <typename Text>
std::string distinct(const Table& table, Text text) {
  std::vector<std::string> seen;
  for (const TableRow& row : table.rows) {
    std::string value = text(row.plan);
    if (std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
  }
  return join(seen, ", ");
}

std::string block_text(const results::Row& row) {
  return row.block_bytes > 0 ? short_bytes(row.block_bytes) : row.block_told ? "mixed" : "?";
}

std::string osd_ids(const std::vector<int>& ids) {
  std::string out;
  for (size_t i = 0; i < ids.size();) {
    size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    if (!out.empty()) out += ",";
    out += last == i ? fmt::format("{}", ids[i]) : fmt::format("{}-{}", ids[i], ids[last]);
    i = last + 1;
  }
  return out;
}

// "osd.0-2: tcmalloc, libgoogle-perftools4 2.10-1": ten thousand OSDs of a kind are one text.
std::string allocators(const std::vector<results::OsdRecord>& osds) {
  std::vector<std::pair<std::string, std::vector<int>>> kinds;
  for (const results::OsdRecord& osd : osds) {
    std::string kind = osd.allocator.empty() ? "unknown" : osd.allocator;
    if (!osd.package.empty() || !osd.version.empty()) kind += ",";
    if (!osd.package.empty()) kind += " " + osd.package;
    if (!osd.version.empty()) kind += " " + osd.version;
    auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == kind; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, {}});
    found->second.push_back(osd.id);
  }
  std::vector<std::string> texts;
  for (auto& [kind, ids] : kinds) {
    std::sort(ids.begin(), ids.end());
    texts.push_back(fmt::format("osd.{}: {}", osd_ids(ids), kind));
  }
  return join(texts, "; ");
}

}  // namespace

std::string short_bytes(uint64_t bytes) {
  if (bytes == 0) return "?";
  for (auto [unit, letter] : {std::pair(1ull << 30, 'g'), {1ull << 20, 'm'}, {1ull << 10, 'k'}})
    if (bytes >= unit && bytes % unit == 0) return fmt::format("{}{}", bytes / unit, letter);
  return fmt::format("{}", bytes);
}

std::string iops_text(const TableRow& row) {
  if (row.repetitions.empty()) return row.pending() ? "pending" : "failed";
  return fmt::format("{}/{} ({})", iops_number(row.write.iops), iops_number(row.read.iops),
                     block_text(row.plan));
}

std::string iops_number(std::optional<double> iops) {
  return number_text(iops, iops && *iops < 100 ? 1 : 0);
}

std::string number_text(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::string latency_text(std::optional<double> ms) {
  if (!ms) return "-";
  return number_text(ms, *ms < 1 ? 3 : *ms < 10 ? 2 : *ms < 100 ? 1 : 0);
}

std::string pair_text(std::optional<double> write, std::optional<double> read, int decimals,
                      bool sign) {
  if (!write && !read) return "-";
  auto text = [&](std::optional<double> value) {
    if (!value) return std::string("-");
    return sign ? fmt::format("{:+.{}f}", *value, decimals)
                : fmt::format("{:.{}f}", *value, decimals);
  };
  return text(write) + "/" + text(read);
}

std::string difference_text(const TableRow& row) {
  if (row.baseline) return "baseline";
  return pair_text(row.write.difference_percent, row.read.difference_percent, 1, true);
}

std::string verdict_text(const TableRow& row) {
  std::string w = row.write.verdict();
  std::string r = row.read.verdict();
  if (w.empty() && r.empty()) return "";
  if (w == r) return w;
  std::vector<std::string> parts;
  if (!w.empty()) parts.push_back("w " + w);
  if (!r.empty()) parts.push_back("r " + r);
  return join(parts, ", ");
}

std::string mark_number(const Table& table, size_t mark) {
  std::string text = fmt::format("{}", mark + 1);
  results::Weight weight = table.marks[mark].mark.weight;
  if (weight == results::Weight::doubtful) text += "?";
  if (weight == results::Weight::invalid) text += "!";
  return text;
}

std::string marks_text(const Table& table, const std::vector<size_t>& marks) {
  std::vector<std::string> texts;
  texts.reserve(marks.size());
  for (size_t mark : marks) texts.push_back(mark_number(table, mark));
  return join(texts, " ");
}

std::vector<size_t> marks_of(const Table& table, const TableRow& row) {
  std::vector<size_t> marks = table.general_marks;
  marks.insert(marks.end(), row.marks.begin(), row.marks.end());
  return marks;
}

std::optional<results::Weight> worst_mark(const Table& table, const TableRow& row) {
  std::optional<results::Weight> worst;
  for (size_t mark : marks_of(table, row))
    worst = std::max(worst, std::optional(table.marks[mark].mark.weight));
  return worst;
}

std::string mark_text(const Table& table, size_t mark) {
  const TableMark& m = table.marks[mark];
  std::string text = fmt::format("{}: {}", to_text(m.mark.weight), legend_text(m));
  const auto& general = table.general_marks;
  if (std::find(general.begin(), general.end(), mark) != general.end())
    text += " (the whole table)";
  return text;
}

std::string title_text(const Table& table) {
  std::string title = table.manifest.title;
  if (!table.manifest.matrix.empty()) title += ", by " + join(table.manifest.matrix, " and ");
  return title;
}

results::TextList conditions(const Table& table) {
  results::TextList out;
  out.emplace_back("target", table.manifest.target);
  out.emplace_back("created", table.manifest.created);
  out.emplace_back("block size", distinct(table, block_text));
  out.emplace_back("iodepth",
                   distinct(table, [](const auto& row) { return count_text(row.iodepth); }));
  out.emplace_back("numjobs",
                   distinct(table, [](const auto& row) { return count_text(row.numjobs); }));
  for (const auto& [key, text] : table.manifest.conditions) {
    // What the runner recorded itself is nearer to the facts than what the plan says.
    auto same = std::find_if(out.begin(), out.end(),
                             [&name = key](const auto& o) { return o.first == name; });
    if (same == out.end())
      out.emplace_back(key, text);
    else
      same->second = text;
  }
  // A target that words its allocators itself has said it already.
  auto worded =
      std::find_if(out.begin(), out.end(), [](const auto& o) { return o.first == "allocator"; });
  if (!table.manifest.osds.empty() && worded == out.end())
    out.emplace_back("OSD allocators", allocators(table.manifest.osds));
  std::erase_if(out, [](const auto& condition) { return condition.second.empty(); });
  return out;
}

bool has_flush(const Table& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const TableRow& row) { return row.flush_s >= kFlushWorthTelling_s; });
}

std::vector<std::string> figure_notes(const Table& table) {
  std::vector<std::string> notes;
  notes.emplace_back("w/r IOPS: writes and reads a second, geometric mean of the repetitions.");
  if (has_flush(table))
    notes.back() +=
        " The final flush is counted into the writes: what a cache still held at the end was not "
        "written yet.";
  notes.emplace_back(
      "p99: completion latency that 99% of the I/Os did not exceed, from the summed histograms of "
      "all jobs and repetitions. fio issues an I/O when another is done (closed loop), so time "
      "spent waiting for a free slot is not in it.");
  notes.emplace_back(
      "spread: how far, in %, the repetition farthest from the mean is off, w/r. A difference "
      "that is not clearly larger than the spread is not shown by these runs.");
  return notes;
}

std::string overhead_text(const Table& table) {
  const auto& o = table.manifest.overhead;
  if (!o) return "";
  std::string text = fmt::format("Time outside fio: {:.0f} s beside {:.0f} s in fio ({:.0f}%)",
                                 o->other_s, o->fio_s, o->other_percent);
  if (o->sandbox_start_s > 0) text += fmt::format("; sandbox start {:.0f} s", o->sandbox_start_s);
  if (o->prefill_s > 0) text += fmt::format("; prefill {:.0f} s", o->prefill_s);
  return text + ".";
}

std::vector<std::string> reading_notes(const Table& table) {
  std::vector<std::string> notes;
  for (const std::string& finding : table.findings) notes.push_back(finding + ".");
  for (std::string& note : figure_notes(table)) notes.push_back(std::move(note));
  if (std::string text = overhead_text(table); !text.empty()) notes.push_back(std::move(text));
  return notes;
}

}  // namespace lab::analysis
