#include "analysis/soak/summary.h"

#include <gtest/gtest.h>

#include "analysis/soak/grid.h"
#include "results/example.h"
#include "results/samples.h"
#include "results/writer.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/time.h"
#include "tests/complaint.h"

namespace lab::analysis {
namespace {

constexpr int kSegments = 36;
constexpr int kSegment_s = 300;

// Three hours in segments of five minutes: osd.0 leaks 20 MB an hour, osd.1 doesn't, osd.2 is
// another process from the tenth segment on.
results::ResultReader soak(const fs::path& root) {
  results::Manifest manifest = results::example_manifest();
  manifest.procedure = "soak";
  results::Plan plan = results::example_plan();
  plan.cells.resize(1);
  plan.rows.clear();
  plan.phases.clear();
  plan.runs.clear();
  for (unsigned i = 1; i <= kSegments; ++i) plan.runs.push_back({i, "off", i, 1, false});
  results::ResultWriter writer = results::ResultWriter::create(root, manifest, plan, "[a]\n");
  const TimePoint begin = *parse_utc("2026-12-01T10:00:00.000Z");
  for (unsigned i = 1; i <= kSegments; ++i) {
    const TimePoint at = begin + std::chrono::seconds(kSegment_s * (i - 1));
    results::SampleLog samples(writer.begin_run(i) / results::kSamplesFile);
    for (int t = 0; t < kSegment_s; t += 10) {
      const double hours = ((i - 1) * kSegment_s + t) / 3600.0;
      samples.at(t, at + std::chrono::seconds(t), "soak");
      const auto noise = static_cast<uint64_t>((t * 7919 + i * 104729) % 1000000);
      samples.add("osd.0", "rss", 500000000 + static_cast<uint64_t>(20e6 * hours) + noise);
      samples.add("osd.1", "rss", 400000000 + noise);
      samples.add("osd.2", "rss", (i < 10 ? 900000000 : 300000000) + noise);
      const uint64_t cpu = ((i < 10 ? i : i - 9) * kSegment_s + static_cast<uint64_t>(t)) * 100;
      samples.add("osd.2", "cpu", cpu);
    }
    samples.finish();
    results::RunRecord record;
    record.index = i;
    record.started = format_utc(at);
    record.ended = format_utc(at + std::chrono::seconds(kSegment_s));
    if (i == 5) record.marks.push_back({results::Weight::doubtful, "slow-ops", "stuck"});
    writer.finish_run(record);
  }
  return results::ResultReader::load(writer.directory());
}

TEST(Soak, FindsTheLeakAtItsRateAndCallsNoOtherOne) {
  const TemporaryDirectory dir;
  const SoakSummary summary = load_soak(soak(dir.path()));
  ASSERT_EQ(summary.cells.size(), 1u);
  const SoakCell& cell = summary.cells[0];
  EXPECT_EQ(cell.segments, static_cast<size_t>(kSegments));
  const ServiceMemory& leaking = cell.services.at("osd.0");
  ASSERT_TRUE(leaking.growth);
  EXPECT_EQ(leaking.growth->verdict, stats::Growth::Verdict::grows);
  EXPECT_NEAR(leaking.growth->per_hour, 20e6, 1e6);
  EXPECT_LE(leaking.growth->interval95.low, 20e6);
  EXPECT_GE(leaking.growth->interval95.high, 20e6);
  EXPECT_NEAR(leaking.peak_bytes, 560e6, 2e6);
  EXPECT_EQ(cell.services.at("osd.1").growth->verdict, stats::Growth::Verdict::no_growth);
}

TEST(Soak, AnotherProcessBeginsAnew) {
  const TemporaryDirectory dir;
  const SoakSummary summary = load_soak(soak(dir.path()));
  const ServiceMemory& restarted = summary.cells[0].services.at("osd.2");
  EXPECT_EQ(restarted.restarts, 1u);
  EXPECT_EQ(restarted.growth->verdict, stats::Growth::Verdict::no_growth);
  EXPECT_NEAR(restarted.peak_bytes, 900e6, 2e6);
  std::vector<std::string> codes;
  for (const SoakEvent& event : summary.cells[0].events) codes.push_back(event.code);
  EXPECT_EQ(codes, (std::vector<std::string>{"slow-ops", "restarted"}));
}

TEST(Soak, IsPrintedAndKept) {
  const TemporaryDirectory dir;
  const results::ResultReader reader = soak(dir.path());
  const std::string text =
      render_grid(soak_grid(load_soak(reader), Format::markdown), Format::markdown);
  EXPECT_NE(text.find("grows by 20"), std::string::npos) << text;
  EXPECT_NE(text.find("no growth beyond"), std::string::npos);
  write_soak_summary(reader.directory());
  const Json summary = Json::parse(read_file(reader.directory() / "summary.json"));
  EXPECT_EQ(summary.at("cells").at(0).at("services").at("osd.0").at("growth").at("verdict"),
            "grows");
}

TEST(Soak, OtherMeasurementsAreNone) {
  const TemporaryDirectory dir;
  const results::ResultWriter writer = results::ResultWriter::create(
      dir.path(), results::example_manifest(), results::example_plan(), "[a]\n");
  EXPECT_NE(complaint([&] {
              load_soak(results::ResultReader::load(writer.directory()));
            }).find("this is no soak"),
            std::string::npos);
}

}  // namespace
}  // namespace lab::analysis
