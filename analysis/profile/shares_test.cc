#include "analysis/profile/shares.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/profile/read.h"
#include "analysis/profile/share_grid.h"
#include "analysis/render/escape.h"
#include "runner/base/json.h"
#include "runner/base/text.h"
#include "tests/complaint.h"
#include "tests/csv.h"

namespace lab::analysis::profile {
namespace {

const fs::path kFiles = fs::path(LAB_TESTDATA) / "profile";

Profile of_text(std::string_view text, const ReadOptions& options = {}) {
  return read_profile_text(text, "in.txt", "in", options).profile;
}

ShareTable fixed(const ShareOptions& options = {}) {
  const Profile before = read_profiles({kFiles / "server.collapsed"});
  return shares(read_profiles({kFiles / "server-fixed.collapsed"}), &before, options);
}

const ShareRow& row(const ShareTable& table, const std::string& where) {
  const auto& rows = table.processes.at(0).rows;
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const ShareRow& one) { return one.where == where; });
}

TEST(Shares, BeforeAndAfterInPoints) {
  const ShareTable table = fixed();
  ASSERT_EQ(table.processes.size(), 1u);  // one file each: their names don't matter
  EXPECT_EQ(table.processes[0].rows[0].where, "main");
  const ShareRow& write = row(table, "Journal::write");
  EXPECT_NEAR(write.before->share, 200.0 / 300, 1e-12);
  EXPECT_NEAR(write.now->share, 92.0 / 190, 1e-12);
  EXPECT_NEAR(*write.difference, 92.0 / 190 - 200.0 / 300, 1e-12);
  EXPECT_FALSE(write.within_noise);
  // Gone, and new: there with 0, in an interval that has a width.
  EXPECT_EQ(row(table, "crc32c").now->share, 0);
  EXPECT_GT(row(table, "crc32c").now->interval->high, 0.005);
  EXPECT_EQ(row(table, "crc32c_sse42").before->share, 0);
}

TEST(Shares, ASmallDifferenceOfFewSamplesIsMarked) {
  const Profile few = of_text("a 10\nb 90\n");
  const Profile few_now = of_text("a 8\nb 92\n");
  EXPECT_TRUE(row(shares(few_now, &few, {}), "a").within_noise);
  const Profile many = of_text("a 10000\nb 90000\n");
  const Profile many_now = of_text("a 8000\nb 92000\n");
  EXPECT_FALSE(row(shares(many_now, &many, {}), "a").within_noise);
  const auto width = [](const ShareRow& one) {
    return one.now->interval->high - one.now->interval->low;
  };
  EXPECT_GT(width(row(shares(few, nullptr, {}), "a")), 0.1);
  EXPECT_LT(width(row(shares(many, nullptr, {}), "a")), 0.01);
}

TEST(Shares, BytesHaveNoIntervals) {
  const Profile heap = read_profiles({kFiles / "heap.collapsed"}, {"", "bytes"});
  const ShareTable table = shares(heap, &heap, {});
  EXPECT_FALSE(row(table, "main").now->interval);
  EXPECT_FALSE(row(table, "main").within_noise);
  const std::string text = render_grid(share_grid(table, Format::table), Format::table);
  EXPECT_EQ(text.find("interval %"), std::string::npos) << text;
  EXPECT_NE(text.find("28.3 MiB → 28.3 MiB"), std::string::npos) << text;
}

TEST(Shares, SelfAndTop) {
  const ShareTable table =
      shares(read_profiles({kFiles / "server.collapsed"}), nullptr, {true, 2, ""});
  ASSERT_EQ(table.processes[0].rows.size(), 2u);
  EXPECT_EQ(table.processes[0].rows[0].where, "crc32c");
  EXPECT_EQ(table.processes[0].rows[0].now->share, 0.4);
  // main and serve have nothing of their own.
  EXPECT_EQ(table.processes[0].left_out, 4u);
}

TEST(Shares, AProcessOfOneSideHasNoOtherShare) {
  const Profile before = of_text("a 1/1 1.0: 1 cycles:\n\t1 f+0x1 (/a)\n");
  const Profile now = of_text("b 2/2 1.0: 1 cycles:\n\t1 f+0x1 (/a)\n");
  const ShareTable table = shares(now, &before, {});
  ASSERT_EQ(table.processes.size(), 2u);
  for (const ProcessShares& process : table.processes) {
    EXPECT_NE(process.before.has_value(), process.now.has_value());
    EXPECT_FALSE(process.rows[0].difference);
    EXPECT_FALSE(process.rows[0].within_noise);
  }
}

TEST(Shares, SaysWhichFilesItCannotPair) {
  Profile before = of_text("f 1\n");
  Profile now = of_text("f 1\n");
  before.processes["one"] = before.processes["two"] = before.processes["in"];
  now.processes["three"] = now.processes["in"];
  EXPECT_EQ(complaint([&] { shares(now, &before, {}); }),
            "--base: which of one, two belongs to which of three? Files are compared by their "
            "names: give those of one process the same name in two folders");
  const Profile sums = of_text("Total: 1 samples\n 1 100.0% 100.0% 1 100.0% f\n");
  EXPECT_NE(complaint([&] { shares(now, &sums, {}); }).find("can't be compared"),
            std::string::npos);
}

TEST(Shares, WarnsOfFunctionsWithoutNames) {
  EXPECT_TRUE(unresolved_warnings(shares(of_text("a 90\n[unknown] 10\n"), nullptr, {})).empty());
  for (const char* name : {"[unknown]", "0x00007f12a4b3c9d0", "[libc.so.6]", "a;"}) {
    const auto warnings =
        unresolved_warnings(shares(of_text(std::string("a 80\n") + name + " 20\n"), nullptr, {}));
    ASSERT_EQ(warnings.size(), 1u) << name;
    EXPECT_NE(warnings[0].find("in: 20.0% of the samples"), std::string::npos) << warnings[0];
  }
}

TEST(ShareGrid, Markdown) {
  EXPECT_EQ(render_grid(share_grid(shares(of_text("main;f 1\nmain;g|* 3\n"), nullptr, {}),
                                   Format::markdown),
                        Format::markdown),
            "## Where the samples are, inclusive\n\n"
            "- in: 4 samples\n\n"
            "| Process | Where | share % | 95% interval % |\n"
            "| --- | --- | --: | --: |\n"
            "| in | main | 100.0 | 51.0 to 100.0 |\n"
            "| in | g\\|\\* | 75.0 | 30.1 to 95.4 |\n"
            "| in | f | 25.0 | 4.6 to 69.9 |\n\n"
            "- Share: of all samples of the process, in the function and all that it called; a "
            "function that calls itself counts once a stack.\n"
            "- 95% interval: of sampling alone (Wilson); another run may differ by more.\n");
}

TEST(ShareGrid, Csv) {
  const Profile before = of_text("f 1\ng 3\n");
  EXPECT_EQ(
      render_grid(share_grid(shares(of_text("g 4\n"), &before, {}), Format::csv), Format::csv),
      "process,where,before_share_percent,before_standard_error_points,before_low_percent,"
      "before_high_percent,before_samples,before_total_samples,after_share_percent,"
      "after_standard_error_points,after_low_percent,after_high_percent,after_samples,"
      "after_total_samples,difference_points,difference_low_points,difference_high_points,"
      "within_noise\r\n"
      "in,g,75.0000,21.6506,30.0642,95.4413,3,4,100.0000,0.0000,51.0109,100.0000,4,4,25.0000,"
      "-28.0827,69.9358,yes\r\n"
      "in,f,25.0000,21.6506,4.5587,69.9358,1,4,0.0000,0.0000,0.0000,48.9891,0,4,-25.0000,"
      "-69.9358,28.0827,yes\r\n");
}

TEST(ShareGrid, Json) {
  const Json json = Json::parse(share_json(fixed({false, 3, ""})));
  EXPECT_EQ(json["unit"], "samples");
  const Json& process = json["processes"][0];
  EXPECT_EQ(process["before"]["total"], 300);
  EXPECT_EQ(process["after"]["total"], 190);
  EXPECT_EQ(process["left_out"], 6);
  EXPECT_EQ(process["rows"][2]["where"], "Journal::write");
  EXPECT_EQ(process["rows"][2]["within_noise"], false);
  EXPECT_EQ(process["rows"][0]["difference_points"], 0.0);
}

TEST(ShareGrid, LongNamesFitTheTerminalAndAreWholeInCsv) {
  const std::string longest = "std::_Rb_tree<" + std::string(300, 'x') + ">::_M_insert_unique";
  const Profile profile = of_text("main;" + longest + " 3\n");
  for (size_t width : {80u, 100u, 120u}) {
    RenderOptions options;
    options.width = width;
    const std::string text = render_grid(share_grid(shares(profile, nullptr, {}), Format::table),
                                         Format::table, options);
    for (const std::string& line : split(text, '\n')) EXPECT_LE(display_width(line), width);
    // In one piece, with both ends of the name.
    EXPECT_NE(text.find("std::_Rb"), std::string::npos);
    EXPECT_NE(text.find("insert_unique    100.0"), std::string::npos) << text;
  }
  EXPECT_NE(
      render_grid(share_grid(shares(profile, nullptr, {}), Format::csv), Format::csv).find(longest),
      std::string::npos);
}

TEST(ShareGrid, HostileNamesStayInTheirCells) {
  const std::string text =
      "=HYPERLINK(\"x\",\"y\");@plt;-1+2,\"q\"\x1b[2J\xff|`<b> 3\n+x;=1+1 2\n\x01;\t;; 1\n";
  const Profile profile = read_profile_text(text, "in", "=cmd|' /C calc'!A0", {}).profile;
  const ShareTable table = shares(profile, &profile, {});
  const auto records = parse_csv(render_grid(share_grid(table, Format::csv), Format::csv));
  ASSERT_TRUE(records);
  for (const CsvRecord& record : *records) {
    EXPECT_EQ(record.size(), (*records)[0].size());
    for (size_t i : {0u, 1u})
      EXPECT_EQ(std::string_view("=+-@").find(record[i].text[0]), std::string_view::npos);
  }
  for (Format format : {Format::table, Format::markdown, Format::tsv})
    for (char c : render_grid(share_grid(table, format), format))
      EXPECT_TRUE(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20);
  EXPECT_EQ(Json::parse(share_json(table))["processes"].size(), 1u);
}

}  // namespace
}  // namespace lab::analysis::profile
