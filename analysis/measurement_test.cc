#include "analysis/measurement.h"

#include <gtest/gtest.h>

#include "results/example.h"

namespace lab::analysis {
namespace {

using results::Effective;
using results::RunRecord;
using results::Weight;

FioJob job(const std::string& name, FioDirection write, FioDirection read) {
  FioJob j;
  j.name = name;
  j.write = std::move(write);
  j.read = std::move(read);
  return j;
}

FioDirection direction(uint64_t ios, uint64_t runtime_ms, Histogram clat) {
  FioDirection d;
  d.total_ios = ios;
  d.io_bytes = ios * 4096;
  d.runtime_ms = runtime_ms;
  d.clat.bins = std::move(clat);
  d.clat.samples = ios;
  d.clat.mean_ns = 1000;
  return d;
}

FioOutput healthy() {
  FioOutput fio;
  fio.jobs = {job("randwrite", direction(1000, 2000, {{100, 1000}}), {}),
              job("randread", {}, direction(3000, 1000, {{50, 3000}}))};
  return fio;
}

const results::Mark* find(const std::vector<results::Mark>& marks, const std::string& code) {
  for (const results::Mark& mark : marks)
    if (mark.code == code) return &mark;
  return nullptr;
}

TEST(Measure, TakesEachPhaseFromItsSections) {
  RunFigures f = measure({}, results::example_plan(), healthy(), nullptr);
  ASSERT_EQ(f.phases.size(), 2u);
  EXPECT_TRUE(f.usable);
  ASSERT_TRUE(f.phases[0].write);
  EXPECT_FALSE(f.phases[0].read);
  EXPECT_DOUBLE_EQ(f.phases[0].write->iops, 500);
  EXPECT_DOUBLE_EQ(f.phases[0].write->counted_iops, 500);
  EXPECT_DOUBLE_EQ(f.phases[1].read->iops, 3000);
  EXPECT_TRUE(f.phases[0].marks.empty());
  EXPECT_TRUE(f.marks.empty());
}

TEST(Measure, SumsThreadsOverTheLongestRuntime) {
  FioOutput fio = healthy();
  fio.jobs.push_back(job("randwrite", direction(500, 1000, {{300, 500}}), {}));
  RunFigures f = measure({}, results::example_plan(), fio, nullptr);
  EXPECT_EQ(f.phases[0].write->ios, 1500u);
  EXPECT_DOUBLE_EQ(f.phases[0].write->iops, 750);
  EXPECT_EQ(f.phases[0].write->clat.percentile_ns(99), 300u);
}

TEST(Measure, CountsTheLongestFlushIntoTheWrites) {
  Effective e;
  e.closes = {{"rbd", "randwrite", 0, 0.5, 0, 1000},
              {"rbd", "randwrite", 1, 2.0, 0, 10},
              {"rbd", "randread", 0, 9.0, 3000, 0}};
  RunFigures f = measure({}, results::example_plan(), healthy(), &e);
  EXPECT_DOUBLE_EQ(f.phases[0].flush_s, 2.0);
  EXPECT_DOUBLE_EQ(f.phases[0].write->iops, 500);
  EXPECT_DOUBLE_EQ(f.phases[0].write->counted_iops, 250);
  EXPECT_DOUBLE_EQ(f.phases[1].read->counted_iops, 3000);
}

TEST(Measure, WithoutItsClosingRecordNoFlushOfLabsEngineIsKnown) {
  FioOutput fio = healthy();
  fio.global_options["ioengine"] = "external:/usr/lib/lab/lab-rbd.so";
  const RunFigures f = measure({}, results::example_plan(), fio, nullptr);
  ASSERT_TRUE(find(f.phases[0].marks, "no-closing-record"));
  EXPECT_EQ(find(f.phases[0].marks, "no-closing-record")->weight, results::Weight::invalid);
  EXPECT_TRUE(find(f.phases[1].marks, "no-closing-record"));
  results::Effective effective;
  results::EffectiveOpen open;
  results::EffectiveClose close;
  for (const char* section : {"randwrite", "randread"}) {
    open.job = close.job = section;
    effective.opens.push_back(open);
    effective.closes.push_back(close);
  }
  EXPECT_FALSE(find(measure({}, results::example_plan(), fio, &effective).phases[0].marks,
                    "no-closing-record"));
  open.job = "randwrite";
  effective.opens.push_back(open);  // a second thread, which never closed
  const RunFigures killed = measure({}, results::example_plan(), fio, &effective);
  EXPECT_TRUE(find(killed.phases[0].marks, "no-closing-record"));
  EXPECT_FALSE(find(killed.phases[1].marks, "no-closing-record"));
}

TEST(Measure, MarksReadsThatCameBackZero) {
  for (auto [zero, weight] : {std::pair(1ull, Weight::doubtful), {2000ull, Weight::invalid}}) {
    Effective e;
    e.closes = {{.engine = "rbd", .job = "randread", .reads = 3000, .zero_reads = zero}};
    RunFigures f = measure({}, results::example_plan(), healthy(), &e);
    const results::Mark* mark = find(f.phases[1].marks, "zero-reads");
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->weight, weight);
    EXPECT_FALSE(find(f.phases[0].marks, "zero-reads"));
  }
}

TEST(Measure, MarksErrorsOfFioAndOfTheEngine) {
  FioOutput fio = healthy();
  fio.jobs[0].error = 28;
  fio.jobs[1].total_errors = 3;
  Effective e;
  e.closes = {{.engine = "rbd", .job = "randread", .reads = 3000, .errors = 2}};
  RunFigures f = measure({}, results::example_plan(), fio, &e);
  ASSERT_TRUE(find(f.phases[0].marks, "fio-error"));
  EXPECT_EQ(find(f.phases[0].marks, "fio-error")->weight, Weight::invalid);
  EXPECT_NE(find(f.phases[0].marks, "fio-error")->text.find("No space left"), std::string::npos);
  EXPECT_TRUE(find(f.phases[1].marks, "io-errors"));
  EXPECT_TRUE(find(f.phases[1].marks, "engine-errors"));
}

TEST(Measure, MarksADirectionThatNeverHappened) {
  FioOutput fio = healthy();
  fio.jobs.pop_back();
  RunFigures f = measure({}, results::example_plan(), fio, nullptr);
  EXPECT_FALSE(f.phases[1].read);
  EXPECT_TRUE(find(f.phases[1].marks, "no-io"));
  fio.jobs.push_back(job("randread", {}, {}));
  fio.jobs.back().mixed.total_ios = 5;
  EXPECT_TRUE(find(measure({}, results::example_plan(), fio, nullptr).phases[1].marks, "unified"));
}

TEST(Measure, SectionsOfOneNameInTwoPhasesCannotBeTold) {
  results::Plan plan = results::example_plan();
  plan.phases[1].sections = {"randwrite"};
  RunFigures f = measure({}, plan, healthy(), nullptr);
  for (const PhaseFigures& phase : f.phases) {
    ASSERT_TRUE(find(phase.marks, "ambiguous-section"));
    EXPECT_EQ(find(phase.marks, "ambiguous-section")->weight, Weight::invalid);
  }
  // Twice in one phase is one crowd of jobs.
  plan = results::example_plan();
  plan.phases[0].sections = {"randwrite", "randwrite"};
  EXPECT_TRUE(measure({}, plan, healthy(), nullptr).phases[0].marks.empty());
}

TEST(Measure, AHistogramOfOtherIosIsTold) {
  FioOutput fio = healthy();
  fio.jobs[1].read.clat.bins.add(70, 1);
  const RunFigures f = measure({}, results::example_plan(), fio, nullptr);
  EXPECT_FALSE(find(f.phases[0].marks, "broken-histogram"));
  ASSERT_TRUE(find(f.phases[1].marks, "broken-histogram"));
  EXPECT_EQ(find(f.phases[1].marks, "broken-histogram")->weight, results::Weight::doubtful);
}

TEST(Measure, MissingBinsAreTold) {
  FioOutput fio = healthy();
  fio.jobs[0].write.clat.bins = {};
  EXPECT_TRUE(find(measure({}, results::example_plan(), fio, nullptr).phases[0].marks, "no-bins"));
}

TEST(Measure, AContradictedSettingOutweighsTheProvenOnes) {
  RunRecord r;
  r.settings = {{"rbd cache", "writeback", "writeback", "config", "list", true}};
  EXPECT_EQ(measure(r, results::example_plan(), healthy(), nullptr).proof, Proof::verified);
  r.settings.push_back({"debug", "0", "", "", "", {}});
  RunFigures f = measure(r, results::example_plan(), healthy(), nullptr);
  EXPECT_EQ(f.proof, Proof::unverified);
  EXPECT_EQ(find(f.marks, "unverified")->weight, Weight::note);
  r.settings.push_back({"policy", "writethrough", "writearound", "image", "list", false});
  f = measure(r, results::example_plan(), healthy(), nullptr);
  EXPECT_EQ(f.proof, Proof::contradicted);
  EXPECT_EQ(find(f.marks, "not-in-effect")->weight, Weight::invalid);
  r.marks = {{Weight::invalid, "not-in-effect", "the runner's words"}};
  f = measure(r, results::example_plan(), healthy(), nullptr);
  EXPECT_EQ(find(f.marks, "not-in-effect")->text, "the runner's words");
  EXPECT_EQ(f.marks.size(), 2u);
  EXPECT_EQ(measure({}, results::example_plan(), healthy(), nullptr).proof, Proof::nothing_asked);
}

TEST(Measure, TheEnginesOwnWordsCountAsProof) {
  Effective e;
  e.opens = {{.engine = "rbd", .cache_asked = "config", .cache_effective = "off"}};
  EXPECT_EQ(measure({}, results::example_plan(), healthy(), &e).proof, Proof::nothing_asked);
  e.opens[0].cache_asked = "off";
  EXPECT_EQ(measure({}, results::example_plan(), healthy(), &e).proof, Proof::verified);
  e.opens[0].cache_asked = "writeback";
  e.opens.push_back(e.opens[0]);
  RunFigures f = measure({}, results::example_plan(), healthy(), &e);
  EXPECT_EQ(f.proof, Proof::contradicted);
  EXPECT_EQ(std::count_if(f.marks.begin(), f.marks.end(),
                          [](const auto& mark) { return mark.code == "not-in-effect"; }),
            1);
}

TEST(LoadMeasurement, SaysWhyARunCannotBeUsed) {
  RunRecord record;
  RunFigures f = load_measurement({record, "/nonexistent"}, results::example_plan());
  EXPECT_FALSE(f.usable);
  ASSERT_TRUE(find(f.marks, "unreadable-run"));
  EXPECT_NE(find(f.marks, "unreadable-run")->text.find("/nonexistent/fio.json"), std::string::npos);
  record.ok = false;
  record.error = "OSD 2 died";
  f = load_measurement({record, "/nonexistent"}, results::example_plan());
  EXPECT_NE(find(f.marks, "failed-run")->text.find("OSD 2 died"), std::string::npos);
}

}  // namespace
}  // namespace lab::analysis
