#include "analysis/plot/layout.h"

#include <gtest/gtest.h>

#include "analysis/render/layout.h"

#include <limits>

namespace lab::analysis {
namespace {

TEST(DataText, IsOneQuotedField) {
  EXPECT_EQ(data_text("4k-off"), "\"4k-off\"");
  EXPECT_EQ(data_text("a\n\tb"), "\"a b\"");
  EXPECT_EQ(data_text("\"q\" \\n"), "\"\\\"q\\\" \\\\n\"");
  EXPECT_EQ(data_text("x]]>y]]>"), "\"x]] >y]] >\"");
  EXPECT_EQ(data_text("\xff|\xef\xbf\xbf"), "\"\xef\xbf\xbd|\xef\xbf\xbd\"");
}

TEST(DataNumber, IsADashWhereThereIsNone) {
  EXPECT_EQ(data_number(1234.5), "1234.5");
  EXPECT_EQ(data_number({}), "-");
  EXPECT_EQ(data_number(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(data_number(std::numeric_limits<double>::infinity()), "-");
}

TEST(Shortened, CountsCodePoints) {
  EXPECT_EQ(shortened("äöü", 3, "…"), "äöü");
  EXPECT_EQ(shortened("äöüß", 3, "…"), "äö…");
  EXPECT_EQ(shortened("abc", 1, "…"), "…");
}

TEST(LinearTics, AreRoundAndNeverTwiceTheSame) {
  EXPECT_EQ(linear_tics(5000, 5), "('0' 0, '1k' 1000, '2k' 2000, '3k' 3000, '4k' 4000, '5k' 5000)");
  EXPECT_EQ(linear_tics(2100, 5), "('0' 0, '500' 500, '1k' 1000, '1.5k' 1500, '2k' 2000)");
  EXPECT_EQ(linear_tics(0.7, 4), "('0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6)");
  EXPECT_EQ(linear_tics(3e6, 3), "('0' 0, '1M' 1000000, '2M' 2000000, '3M' 3000000)");
  EXPECT_EQ(linear_tics(0, 5), "('0' 0)");
}

TEST(LogAxis, HoldsAllValues) {
  EXPECT_EQ(log_axis('y', {0.4, 900, 0, -1}),
            "set logscale y\nset yrange [0.32:1125]\nset ytics ('1' 1, '10' 10, '100' 100, "
            "'1000' 1000)\n");
  // Little room: three tics a decade.
  EXPECT_EQ(log_axis('y', {1, 8}),
            "set logscale y\nset yrange [0.8:10]\nset ytics ('1' 1, '2' 2, '5' 5, '10' 10)\n");
  EXPECT_EQ(log_axis('y', {}), log_axis('y', {1}));
}

TEST(Legend, HasAsManyColumnsAsNamesLeaveRoomFor) {
  const std::vector<LegendEntry> shorts = {{"a", 1, 1}, {"b", 2, 2}, {"c", 3, 1}};
  const std::vector<LegendEntry> longs(3, {std::string(60, 'x'), 1, 1});
  EXPECT_LT(legend_height(shorts, 640), legend_height(longs, 640));
  const Legend legend = legend_below(shorts, "l.dat", 640, 100);
  EXPECT_EQ(legend.height, legend_height(shorts, 640));
  EXPECT_NE(legend.data.find("\t2\t2\t\"b\"\n"), std::string::npos) << legend.data;
  EXPECT_NE(legend.body.find("$4==2"), std::string::npos) << legend.body;
  EXPECT_EQ(legend.body.find("$4==3"), std::string::npos) << legend.body;
}

TEST(RowLabel, TellsMarksAndWhatWouldBeAmbiguous) {
  Table table;
  table.rows.resize(2);
  table.rows[0].test = table.rows[1].test = "off";
  table.rows[0].plan.type = table.rows[1].plan.type = "rand rw";
  table.marks.resize(2);
  table.marks[1].mark.weight = results::Weight::invalid;
  table.rows[1].marks = {1};
  EXPECT_EQ(row_label(table, table.rows[0]), "off");
  EXPECT_EQ(row_label(table, table.rows[1]), "off [2!]");
  table.rows[1].plan.type = "seq rw";
  EXPECT_EQ(row_label(table, table.rows[1]), "off, seq rw [2!]");
}

}  // namespace
}  // namespace lab::analysis
