#include "analysis/html/page.h"

#include <gtest/gtest.h>

#include "results/example.h"

namespace lab::analysis {
namespace {

RunFigures run_of(const results::PlannedRun& planned, double write_iops, double read_iops) {
  RunFigures run;
  run.record.index = planned.index;
  run.record.cell = planned.cell;
  run.record.block = planned.block;
  run.record.position = planned.position;
  run.record.started = "2026-11-30T19:03:21.000Z";
  run.record.times_s = {{"fio", 0.7}};
  run.usable = true;
  run.proof = Proof::verified;
  run.record.settings = {
      {"rbd cache", planned.cell, planned.cell, "image", "asked the image", true}};
  run.phases.resize(2);
  run.phases[0].write =
      DirectionFigures{.ios = 10, .runtime_s = 1, .iops = write_iops, .counted_iops = write_iops};
  // The run's own p99 is no percentile of the row.
  run.phases[0].write->clat = {{1'000'000, 97}, {(20 + planned.index) * 1'000'000, 3}};
  run.phases[0].write->clat_percentiles = percentiles_of(run.phases[0].write->clat);
  run.phases[1].read = run.phases[0].write;
  run.phases[1].read->iops = run.phases[1].read->counted_iops = read_iops;
  return run;
}

struct Example {
  results::Manifest manifest = results::example_manifest();
  results::Plan plan = results::example_plan();
  std::vector<RunFigures> runs;

  Example() {
    for (const results::PlannedRun& planned : plan.runs)
      runs.push_back(run_of(planned, planned.cell == "off" ? 1000 : 2000, 9000 + planned.index));
  }
  Page page() const {
    Page page;
    page.table = build_table(manifest, plan, runs);
    page.plan = plan;
    page.job = "[randwrite]\nrw=randwrite\n";
    page.directory = "2026-11-30 it's";
    return page;
  }
};

size_t count(const std::string& text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

void expect_in(const std::string& html, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(HtmlPage, ShowsEveryPointAndWhatItRestsOn) {
  const Page page = Example().page();
  const std::string html = render_html(page);
  expect_in(
      html,
      {"<!DOCTYPE html>\n<html lang=\"en\">", "<h1>4k-randrw, by cache</h1>",
       ">1000/9002 (4k)</td>", ">2000/9002 (4k)</td>", ">9001</td>", ">9004</td>", ">21.0</td>",
       ">22.0</td>", ">asked the image</td>", "<dt>Ceph client</dt><dd>16.2.15</dd>",
       "osd.0: tcmalloc, libgoogle-perftools4 2.10-1", "lab run 4k-randrw.fio --matrix=cache",
       "[randwrite]\nrw=randwrite\n", "4 runs, shuffled with seed 7",
       "lab report &#39;2026-11-30 it&#39;\\&#39;&#39;s&#39; --html",
       "None: nothing was found that speaks against these figures."});
  EXPECT_NE(html.find(page.table.headline), std::string::npos);
  for (const std::string& finding : page.table.findings)
    EXPECT_NE(html.find(finding), std::string::npos) << finding;
  EXPECT_EQ(html, render_html(page));
}

TEST(HtmlPage, LosesNoMark) {
  Example example;
  example.runs[1].marks = {{results::Weight::note, "n", "a note"},
                           {results::Weight::doubtful, "d", "some doubt"}};
  example.runs[2].marks = {{results::Weight::invalid, "i", "not what was asked"}};
  const std::string html = render_html(example.page());
  expect_in(html, {"<section class=\"answer invalid\"", "<p class=\"warning invalid\">",
                   "<p class=\"warning doubtful\">", "<li id=\"mark-1\" class=\"note\">",
                   "run 2: a note", "run 2: some doubt", "run 3: not what was asked",
                   "Concerns 4k-rbd_cache_writeback (rand rw)."});
  // In the row of the table, in both directions of the comparison and of the ratio, with the
  // latency, and with its run.
  EXPECT_EQ(count(html, "<tr class=\"invalid\">"), 7u);
  EXPECT_EQ(count(html, "<tr class=\"doubtful\">"), 1u);
}

TEST(HtmlPage, ShowsRunsThatFailedAndRunsToCome) {
  Example example;
  example.runs.pop_back();
  example.runs[1].usable = example.runs[1].record.ok = false;
  example.runs[1].phases.clear();
  example.runs[1].record.error = "fio ended with status 1";
  expect_in(render_html(example.page()),
            {"2 of 4 runs measured", "1 failed</li>", "1 not run yet", ">not run yet</td>",
             ">failed: fio ended with status 1</td>", ">failed</td>"});
}

TEST(HtmlPage, ShowsASettingThatWasNotInEffect) {
  Example example;
  example.runs[1].record.settings[0].effective = "off";
  example.runs[1].record.settings[0].verified = false;
  example.runs[1].proof = Proof::contradicted;
  const std::string html = render_html(example.page());
  expect_in(html, {"<li class=\"invalid\">some settings were not in effect</li>"});
  EXPECT_EQ(count(html, "<tr class=\"invalid\"><th scope=\"row\" class=\"name\">writeback</th>"),
            1u);
}

TEST(HtmlPage, TellsControlsAndRestarts) {
  Example example;
  example.plan.cells[1].control_of = "off";
  example.runs[0].record.unit = 7;
  expect_in(render_html(example.page()), {"<td>the baseline</td>", "<td>a control: off again</td>",
                                          "<td class=\"figure\" data-key=\"7\">7</td>"});
}

TEST(HtmlPage, SaysThatItWasForced) {
  Example example;
  example.manifest.allow_invalid = true;
  example.manifest.invalid_reason = "direct=1 turns the cache off";
  expect_in(render_html(example.page()),
            {"Forced with --allow-invalid: direct=1 turns the cache off"});
}

TEST(HtmlPage, TakesInPlotsAndSaysWhatItLeavesOut) {
  Page page = Example().page();
  page.plots = {{"IOPS", "Higher is better.", "<svg><path id='a'/></svg>", "iops.gp"},
                {"Latency", "", "<svg><path id='a'/></svg>", "latency.gp"},
                {"Evil", "", "<svg><script>1</script></svg>", "evil.gp"}};
  page.plot_warnings = {"gnuplot failed at <one>"};
  const std::string html = render_html(page);
  expect_in(html, {"<b id=\"plot-1\">IOPS.</b> Higher is better. <code>plots/iops.gp</code>",
                   "id=\"plot1-a\"", "id=\"plot2-a\"", "Evil: left out",
                   "gnuplot failed at &lt;one&gt;", "/plots &amp;&amp; gnuplot iops.gp)"});
  EXPECT_EQ(count(html, "<script>"), 1u);
}

TEST(HtmlPage, NothingHostileBecomesMarkup) {
  const std::string evil =
      "</style></title></pre><script>x</script>\"'=cmd,&\n\x1b[2J\xff\u202e<!-- <img src=x>";
  Example example;
  results::Manifest& m = example.manifest;
  m.title = m.target = m.created = m.lab = evil;
  m.command = m.matrix = {evil};
  m.conditions = {{evil, evil}};
  m.osds = {{0, evil, evil, evil, evil}};
  m.allow_invalid = true;
  m.invalid_reason = evil;
  for (results::Cell& cell : example.plan.cells) {
    cell.test += evil;
    cell.levels = {{evil, evil}};
    cell.name += evil;
  }
  for (results::Row& row : example.plan.rows) {
    row.cell += evil;
    row.type = evil;
  }
  for (results::PlannedRun& run : example.plan.runs) run.cell += evil;
  for (RunFigures& run : example.runs) {
    run.record.cell += evil;
    run.record.settings = {{evil, evil, evil, evil, evil, true}};
    run.record.started = evil;
    run.marks = {{results::Weight::invalid, evil, evil}};
  }
  example.runs[1].usable = example.runs[1].record.ok = false;
  example.runs[1].record.error = evil;
  Page page = example.page();
  page.job = page.directory = page.pivot = evil;
  page.plots = {{evil, evil, "<svg/>", evil}, {evil, evil, evil, evil}};
  page.plot_warnings = {evil};
  const std::string html = render_html(page);
  EXPECT_GT(count(html, "&lt;script&gt;"), 60u);
  // As many of each as the page has of its own.
  for (const char* tag : {"<script", "</script", "<style", "</style", "</title"})
    EXPECT_EQ(count(html, tag), 1u) << tag;
  for (const char* tag : {"<img", "<!--", "=\"\"", "\x1b", "\xff", "\u202e"})
    EXPECT_EQ(count(html, tag), 0u) << tag;
}

// The rows of the table with this id, cells parted by "|": key or text.
std::string cells_of(const std::string& html, const std::string& id) {
  const size_t begin = html.find("<table id=\"" + id + "\" data-sortable>");
  if (begin == std::string::npos) return "no table " + id;
  const size_t body = html.find("<tbody>", begin);
  const std::string rows = html.substr(body, html.find("</tbody>", body) - body);
  std::string out;
  for (size_t at = rows.find('<'); at != std::string::npos; at = rows.find('<', at + 1)) {
    const std::string tag = rows.substr(at, rows.find('>', at) + 1 - at);
    const size_t key = tag.find("data-key=\"");
    const size_t text = at + tag.size();
    if (tag.starts_with("</tr")) out += "\n";
    if (!tag.starts_with("<td") && !tag.starts_with("<th")) continue;
    out += key != std::string::npos ? tag.substr(key + 10, tag.find('"', key + 10) - key - 10)
                                    : rows.substr(text, rows.find("</t", text) - text);
    out += tag.find("data-missing") != std::string::npos ? " missing|" : "|";
  }
  return out;
}

TEST(HtmlPage, ShowsTheViewsThatApply) {
  Example example;
  for (RunFigures& run : example.runs) {
    run.phases[0].write->clat_mean_ns = 2e6;
    run.phases[1].read->clat_mean_ns = 0.5e6;
  }
  example.runs[1].marks = {{results::Weight::doubtful, "d", "some doubt"}};
  Page page = example.page();
  std::string html = render_html(page);
  EXPECT_EQ(html.find("view-factors"), std::string::npos);  // one factor
  EXPECT_EQ(html.find("pivot-"), std::string::npos);
  // By figure, with links to the marks. Writes and reads ran one after the other.
  EXPECT_EQ(count(cells_of(html, "view-latency"), "|2|0.5|"), 2u) << cells_of(html, "view-latency");
  EXPECT_NE(cells_of(html, "view-latency").find("<a class=\"mark doubtful\" href=\"#mark-1\""),
            std::string::npos);
  EXPECT_EQ(count(cells_of(html, "view-ratio"), "|0:1|"), 2u) << cells_of(html, "view-ratio");
  EXPECT_EQ(count(cells_of(html, "view-ratio"), "|1:0|"), 2u);
  EXPECT_EQ(count(cells_of(html, "view-ratio"), "- missing|"), 4u);

  page.pivot = "cache";
  html = render_html(page);
  EXPECT_NE(html.find("<h2 id=\"pivot-title\">By cache</h2>"), std::string::npos);
  // One row: the levels are its columns.
  const std::string cells = cells_of(html, "pivot-iops");
  EXPECT_EQ(count(cells, "\n"), 1u) << cells;
  EXPECT_NE(cells.find("|1000|0|"), std::string::npos) << cells;
  EXPECT_NE(cells.find("|2000|100|"), std::string::npos) << cells;
  EXPECT_EQ(count(cells_of(html, "pivot-latency"), "\n"), 1u);
  EXPECT_EQ(count(cells_of(html, "pivot-ratio"), "\n"), 2u);
}

TEST(HtmlPage, ShowsFactorsOfAnAllocatorMatrix) {
  Example example;
  for (results::Cell& cell : example.plan.cells) cell.levels = {{"allocator", cell.name}};
  example.manifest.matrix = {"allocator"};
  const std::string cells = cells_of(render_html(example.page()), "view-factors");
  EXPECT_TRUE(cells.starts_with("off|")) << cells;
  EXPECT_EQ(count(cells, "\n"), 2u) << cells;
}

TEST(HtmlPage, IsWholeWithoutAnyRun) {
  Page page;
  page.table = build_table(results::example_manifest(), results::Plan(), {});
  const std::string html = render_html(page);
  EXPECT_TRUE(html.ends_with("</body>\n</html>\n"));
  expect_in(html, {"Nothing is compared here.", "0 of 0 runs measured"});
}

}  // namespace
}  // namespace lab::analysis
