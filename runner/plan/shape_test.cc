#include "runner/plan/shape.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace lab {
namespace {

JobFile job(const std::string& text) { return JobFile::parse(text, "j.fio"); }

TEST(Rows, WritesThenReadsOfOneShapeShareARow) {
  auto rows =
      rows_of(job("[global]\nbs=4k\niodepth=128\n[w]\nrw=randwrite\nstonewall\n"
                  "[r]\nrw=randread\nstonewall\n"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].type, "rand rw");
  EXPECT_EQ(rows[0].block_size, "4k");
  EXPECT_EQ(rows[0].block_bytes, 4096u);
  EXPECT_EQ(rows[0].iodepth, 128u);
  EXPECT_EQ(rows[0].write_phase, 0u);
  EXPECT_EQ(rows[0].read_phase, 1u);
}

TEST(Rows, AnotherBlockSizeIsAnotherRow) {
  auto rows = rows_of(job("[w]\nrw=write\nbs=4k\nstonewall\n[r]\nrw=read\nbs=64k\nstonewall\n"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].type, "seq w");
  EXPECT_FALSE(rows[0].read_phase);
  EXPECT_EQ(rows[1].type, "seq r");
}

TEST(Rows, AMixedPhaseHasBothFigures) {
  auto rows = rows_of(job("[m]\nrw=randrw\nrwmixread=70\nbs=4k\nnumjobs=4\n"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].type, "rand mixed 70r/30w");
  EXPECT_EQ(rows[0].numjobs, 4u);
  EXPECT_EQ(rows[0].write_phase, 0u);
  EXPECT_EQ(rows[0].read_phase, 0u);
}

TEST(Rows, ConcurrentSectionsAreOnePhase) {
  auto rows = rows_of(job("[w]\nrw=randwrite\n[r]\nrw=randread\n"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].type, "rand mixed");
  EXPECT_EQ(rows[0].numjobs, 2u);
}

TEST(Rows, TwoWritePhasesAreNotOneRow) {
  auto rows = rows_of(job("[a]\nrw=randwrite\nstonewall\n[b]\nrw=randwrite\nstonewall\n"));
  EXPECT_EQ(rows.size(), 2u);
}

TEST(Phases, KnowTheirDuration) {
  auto phases = phases_of(job("[global]\ntime_based\nruntime=1m\nramp_time=5\n[a]\nrw=read\n"));
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_DOUBLE_EQ(phases[0].seconds, 65);
}

TEST(Phases, OneSectionWithoutARuntimeMakesTheDurationUnknown) {
  auto phases = phases_of(job("[a]\nrw=read\nruntime=60\n[b]\nrw=write\nsize=200G\n"));
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_DOUBLE_EQ(phases[0].seconds, 0);
}

TEST(Span, IsTheLargestOffsetPlusSize) {
  EXPECT_EQ(span_bytes(job("[a]\nsize=1G\noffset=1G\n[b]\nfilesize=512M\n")), 2ull << 30);
  EXPECT_EQ(span_bytes(job("[a]\nrw=read\n")), std::nullopt);
  EXPECT_EQ(complaint([] { span_bytes(job("[a]\nsize=big\n")); }),
            "j.fio: section [a]: size is no size: big");
}

}  // namespace
}  // namespace lab
