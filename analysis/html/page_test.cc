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
  // In the row of the table, in both directions of the comparison, and with its run.
  EXPECT_EQ(count(html, "<tr class=\"invalid\">"), 4u);
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
  page.job = page.directory = evil;
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

TEST(HtmlPage, IsWholeWithoutAnyRun) {
  Page page;
  page.table = build_table(results::example_manifest(), results::Plan(), {});
  const std::string html = render_html(page);
  EXPECT_TRUE(html.ends_with("</body>\n</html>\n"));
  expect_in(html, {"Nothing is compared here.", "0 of 0 runs measured"});
}

}  // namespace
}  // namespace lab::analysis
