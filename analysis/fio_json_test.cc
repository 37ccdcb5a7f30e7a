#include "analysis/fio_json.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab::analysis {
namespace {

// The files in testdata/fio were written by fio 3.33, with some keys that nobody reads
// left out to keep them small.
std::string fixture(const std::string& file) {
  return read_file(fs::path(LAB_TESTDATA) / "fio" / file);
}

FioOutput parse(const std::string& file) { return parse_fio(fixture(file), file); }

std::string complaint(std::string_view text) {
  try {
    parse_fio(text, "fio.json");
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::usage);
    return e.what();
  }
  return "no error";
}

TEST(ParseFio, GroupsBearTheNameOfTheirFirstJob) {
  FioOutput o = parse("grouped.json");
  EXPECT_EQ(o.version, "fio-3.33");
  EXPECT_EQ(o.global_options.at("numjobs"), "2");
  EXPECT_EQ(o.documents, 1u);
  ASSERT_EQ(o.notes.size(), 4u);
  EXPECT_EQ(o.notes[0].substr(0, 33), "note: both iodepth >= 1 and synch");
  ASSERT_EQ(o.jobs.size(), 2u);
  EXPECT_EQ(o.jobs[0].name, "randwrite");
  EXPECT_EQ(o.jobs[0].group, 0u);
  EXPECT_EQ(o.jobs[0].options.at("rw"), "randwrite");
  EXPECT_EQ(o.jobs[0].write.total_ios, 120u);
  EXPECT_EQ(o.jobs[0].write.io_bytes, 120u * 4096);
  EXPECT_EQ(o.jobs[0].write.clat.samples, 120u);
  EXPECT_EQ(o.jobs[0].write.clat.bins.total(), 120u);
  EXPECT_GT(o.jobs[0].write.clat.mean_ns, 0);
  EXPECT_EQ(o.jobs[0].read.total_ios, 0u);
  EXPECT_TRUE(o.jobs[0].read.clat.bins.empty());
  EXPECT_EQ(o.jobs[1].group, 1u);
  EXPECT_EQ(o.jobs[1].read.total_ios, 120u);
}

TEST(ParseFio, WithoutGroupReportingEveryThreadIsAJob) {
  FioOutput o = parse("threads.json");
  ASSERT_EQ(o.jobs.size(), 4u);
  EXPECT_EQ(o.jobs[1].name, "randwrite");
  EXPECT_EQ(o.jobs[1].write.total_ios, 60u);
  EXPECT_EQ(o.jobs[3].read.total_ios, 60u);
}

TEST(ParseFio, ReadsBothDirectionsAndTheSyncs) {
  FioOutput o = parse("mixed.json");
  ASSERT_EQ(o.jobs.size(), 1u);
  EXPECT_EQ(o.jobs[0].read.total_ios + o.jobs[0].write.total_ios, 128u);
  EXPECT_GT(o.jobs[0].sync.total_ios, 0u);
  EXPECT_EQ(o.jobs[0].sync.lat.bins.total(), o.jobs[0].sync.total_ios);
}

TEST(ParseFio, ReadsUnifiedReporting) {
  FioOutput o = parse("unified.json");
  EXPECT_EQ(o.jobs.at(0).mixed.total_ios, 128u);
  EXPECT_EQ(o.jobs.at(0).read.total_ios, 0u);
}

// The sum over clients stands beside them under the name "All clients".
TEST(ParseFio, CountsClientsOnce) {
  FioOutput o = parse("client.json");
  EXPECT_EQ(o.notes.size(), 4u);
  ASSERT_EQ(o.jobs.size(), 2u);
  EXPECT_EQ(o.jobs[0].host, "127.0.0.1");
  EXPECT_EQ(o.jobs[0].write.total_ios, 120u);
  EXPECT_EQ(o.jobs[1].read.clat.bins.total(), 120u);
}

// --status-interval prints the same counters again and again, grown.
TEST(ParseFio, TakesTheLastOfSeveralDocuments) {
  FioOutput o = parse("status.json");
  EXPECT_EQ(o.documents, 3u);
  EXPECT_EQ(o.jobs.at(0).write.total_ios, 200u);
}

TEST(ParseFio, KeepsErrorsAndTheirWords) {
  FioOutput o = parse("error.json");
  EXPECT_EQ(o.jobs.at(0).error, 28);
  ASSERT_EQ(o.notes.size(), 1u);
  EXPECT_NE(o.notes[0].find("No space left on device"), std::string::npos);
}

TEST(ParseFio, AJobThatNeverRanHasNoDirections) {
  FioOutput o =
      parse_fio(R"({"fio version":"fio-3.33","jobs":[{"jobname":"x","eta":2147483647}]})", "x");
  EXPECT_EQ(o.jobs.at(0).write.total_ios, 0u);
}

TEST(ParseFio, WhatPrintfWritesForZeroByZeroIsNothing) {
  FioOutput o = parse_fio(
      R"({"fio version":"fio-3.33","time":"nan inf","jobs":[{"jobname":"nan",
        "usr_cpu":-nan,"sys_cpu":2.5,"read":{"iops":inf,"total_ios":7}}]})",
      "x");
  EXPECT_EQ(o.jobs.at(0).name, "nan");
  EXPECT_EQ(o.jobs[0].user_cpu_percent, 0);
  EXPECT_EQ(o.jobs[0].read.iops, 0);
  EXPECT_EQ(o.jobs[0].read.total_ios, 7u);
}

TEST(ParseFio, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint(""), "fio.json:1: no JSON in fio's output; it is empty");
  EXPECT_EQ(complaint("fio: job file not found\n"),
            "fio.json:1: no JSON in fio's output; it says: fio: job file not found");
  EXPECT_EQ(complaint("note\n{\n \"fio version\": \"fio-3.33\",\n \"jobs\": [\n"),
            "fio.json:5: cut off: the JSON that begins in line 2 has no end (was fio killed, or "
            "the disk full?)");
  EXPECT_EQ(complaint("{\n\"a\": 1,\n\"b\" 2\n}\n"), "fio.json:3: this is no valid JSON");
  EXPECT_EQ(complaint("{\"jobs\": []}"),
            "fio.json:1: this JSON is not fio's: \"fio version\" or \"jobs\" is missing");
  EXPECT_EQ(complaint(R"({"fio version":"fio-3.33","jobs":[{"read":{"total_ios":"many"}}]})"),
            "fio.json:1: /jobs/0/read/total_ios: expected a whole number, found string");
  EXPECT_EQ(complaint(R"({"fio version":"fio-3.33","jobs":[7]})"),
            "fio.json:1: /jobs/0: expected an object, found number");
  EXPECT_EQ(complaint(R"({"fio version":"x","jobs":[{"read":{"clat_ns":{"bins":{"12x":1}}}}]})"),
            "fio.json:1: /jobs/0/read/clat_ns/bins: \"12x\" is no number");
}

// Parsed or refused with a place, never a crash, and never taken for whole.
TEST(ParseFio, SurvivesBeingCutAnywhere) {
  std::string whole = fixture("grouped.json");
  size_t end = whole.rfind('}');
  for (int i = 0; i < 50; ++i) {
    std::string part = whole.substr(0, end * static_cast<size_t>(i) / 50);
    EXPECT_TRUE(complaint(part).starts_with("fio.json:")) << "cut after " << part.size();
  }
  EXPECT_EQ(complaint(whole.substr(0, end)).find("cut off") == std::string::npos, false);
}

TEST(ParseFio, SurvivesSpoiltBytesAnywhere) {
  std::string whole = fixture("mixed.json");
  for (char byte : {'\0', '"', '{', '}', '-', '\xff', '\\', 'n'}) {
    for (size_t at = 0; at < whole.size(); at += 41) {
      std::string spoilt = whole;
      spoilt[at] = byte;
      try {
        parse_fio(spoilt, "x");
      } catch (const Error&) {
      }
    }
  }
}

TEST(ParseFio, SurvivesDeepNesting) {
  std::string deep = "{\"a\":" + std::string(200000, '[') + std::string(200000, ']') + "}";
  EXPECT_NE(complaint(deep).find("is not fio's"), std::string::npos);
}

}  // namespace
}  // namespace lab::analysis
