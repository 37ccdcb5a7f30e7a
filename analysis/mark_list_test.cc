#include "analysis/mark_list.h"

#include <gtest/gtest.h>

namespace lab::analysis {
namespace {

using results::Weight;

TEST(MarkList, TheSameReasonStandsOnceWithAllItsRuns) {
  MarkList list;
  std::vector<size_t> row;
  for (unsigned run : {1u, 2u, 5u}) list.add(row, {Weight::note, "code", "osd.1 is down"}, run);
  list.add(row, {Weight::note, "code", "osd.2 is down"}, 3);
  const std::vector<TableMark> marks = list.take();
  ASSERT_EQ(marks.size(), 2u) << "numbers may be names: only percentages are amounts for sure";
  EXPECT_EQ(row, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(legend_text(marks[0]), "runs 1-2, 5: osd.1 is down");
}

TEST(MarkList, PercentagesBecomeARange) {
  MarkList list;
  std::vector<size_t> row;
  list.add(row, {Weight::note, "c", "fio was busy for 97% of 3.5% time"}, 1);
  list.add(row, {Weight::note, "c", "fio was busy for 101% of 3.5% time"}, 2);
  list.add(row, {Weight::note, "c", "fio was busy for 99% of 3.5% time"}, 3);
  list.add(row, {Weight::doubtful, "c", "fio was busy for 99% of 3.5% time"}, 4);
  const std::vector<TableMark> marks = list.take();
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].mark.text, "fio was busy for 97 to 101% of 3.5% time");
  EXPECT_EQ(marks[1].mark.text, "fio was busy for 99% of 3.5% time");
}

TEST(MarkList, TextsStayAsTheyWere) {
  for (const char* text : {"", "%", "5", "1.2.3% of v16.2.15", "100%", "a.%b 07.50%"}) {
    MarkList list;
    std::vector<size_t> row;
    list.add(row, {Weight::note, "c", text});
    list.add(row, {Weight::note, "c", text});
    const std::vector<TableMark> marks = list.take();
    ASSERT_EQ(marks.size(), 1u);
    EXPECT_EQ(marks[0].mark.text, text);
  }
}

}  // namespace
}  // namespace lab::analysis
