#include "analysis/course.h"

#include <gtest/gtest.h>

namespace lab::analysis {
namespace {

using results::LivePoint;
using results::Phase;
using results::Weight;

const std::vector<Phase> kWriteThenRead = {{{"w"}, true, false}, {{"r"}, false, true}};

std::vector<LivePoint> write_then_read() {
  return {{1, 0, 0}, {2, 40, 0},  {3, 100, 0}, {4, 0, 0},    {5, 110, 0}, {6, 30, 0},
          {7, 0, 0}, {8, 0, 500}, {9, 0, 900}, {10, 0, 910}, {11, 0, 20}, {12, 0, 0}};
}

TEST(CourseOf, PhasesAreToldApartByWhatTheyDo) {
  EXPECT_EQ(course_of(write_then_read(), kWriteThenRead, 0, true, 0),
            (std::vector<double>{100, 0, 110}))
      << "a stall belongs to it, begun and ended seconds don't";
  EXPECT_EQ(course_of(write_then_read(), kWriteThenRead, 1, false, 0),
            (std::vector<double>{900, 910}));
  EXPECT_TRUE(course_of(write_then_read(), kWriteThenRead, 0, false, 0).empty());
}

TEST(CourseOf, RampTimeIsLeftOut) {
  EXPECT_EQ(course_of(write_then_read(), kWriteThenRead, 0, true, 2),
            (std::vector<double>{0, 110}));
}

TEST(CourseOf, PhasesOfOneKindCannotBeToldApart) {
  const std::vector<Phase> twice = {{{"a"}, true, false}, {{"b"}, true, false}};
  EXPECT_TRUE(course_of(write_then_read(), twice, 0, true, 0).empty());
}

TEST(CourseOf, ARunWithoutLiveFiguresHasNone) {
  EXPECT_TRUE(course_of({}, kWriteThenRead, 0, true, 0).empty());
  EXPECT_TRUE(course_of({{1, 5, 0}}, kWriteThenRead, 0, true, 0).empty());
  // Too short for a figure of its only phase, or idle throughout.
  EXPECT_TRUE(course_of({{1, 0, 0}, {2, 0, 0}}, kWriteThenRead, 0, true, 0).empty());
}

TEST(JudgeCourse, ADriftIsDoubtful) {
  std::vector<double> falling;
  for (int i = 0; i < 40; ++i) falling.push_back(1200 - 10.0 * i);
  const auto mark = judge_course(falling, "write");
  ASSERT_TRUE(mark);
  EXPECT_EQ(mark->weight, Weight::doubtful);
  EXPECT_EQ(mark->code, "no-steady-state");
  EXPECT_EQ(mark->text.find("write IOPS fell by 40% of their mean from the beginning to the end"),
            0u)
      << mark->text;
  EXPECT_FALSE(judge_course(std::vector<double>(40, 1000), "write"));
}

}  // namespace
}  // namespace lab::analysis
