#include "runner/soak/request.h"

#include <gtest/gtest.h>

#include "runner/soak/segment.h"

namespace lab::soak {
namespace {

TEST(SoakRequest, IsCutIntoSegments) {
  EXPECT_EQ(segments({1, 300}), 12u);
  EXPECT_EQ(segments({0.1, 300}), 2u);
  EXPECT_EQ(segments({0.001, 300}), 1u);
  const JsonDocument document = JsonDocument::parse(json_text(to_json({2.5, 60})), "m");
  const Request read = request_from_json(JsonObject(document, ""));
  EXPECT_EQ(read.hours, 2.5);
  EXPECT_EQ(read.segment_s, 60);
}

TEST(SoakSegment, SamplesAreFartherApartTheLongerItIs) {
  using std::chrono::milliseconds;
  EXPECT_EQ(sample_period(1), milliseconds(1000));
  EXPECT_EQ(sample_period(100), milliseconds(18000));
}

TEST(SoakSegment, TheJobsStepsShareASegment) {
  JobFile job = JobFile::parse(
      "[a]\nrw=write\nruntime=5\nstonewall\n[b]\nrw=read\nruntime=9\nstonewall\n", "job");
  const Segment segment({1, 60}, {});
  EXPECT_EQ(segment.fit(job), 60);
  EXPECT_EQ(job.value(0, "runtime"), "30");
  EXPECT_EQ(job.value(1, "runtime"), "30");
}

}  // namespace
}  // namespace lab::soak
