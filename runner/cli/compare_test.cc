// lab compare and lab gate as a user runs them.
#include <gtest/gtest.h>

#include "results/example.h"
#include "results/reader.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"

namespace lab {
namespace {

const std::string kCache = (fs::path(LAB_TESTDATA) / "cache").string();

Finished run_lab(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), LAB_PROGRAM);
  return run_command({.argv = arguments}, std::chrono::seconds(30));
}

// fio's output, as far as lab reads it, of 1 s of writes and of reads.
std::string fio_json(uint64_t iops) {
  auto direction = [&](const char* job, const char* name) {
    return fmt::format(
        R"({{"jobname": "{}", "groupid": 0, "error": 0, "{}": {{"total_ios": {}, "runtime": 1000,
            "clat_ns": {{"N": {}, "mean": 1000000, "bins": {{"1000000": {}}}}}}}}})",
        job, name, iops, iops, iops);
  };
  return fmt::format(R"({{"fio version": "fio-3.33", "jobs": [{}, {}]}})",
                     direction("randwrite", "write"), direction("randread", "read"));
}

// A finished measurement of two cells in four blocks; writeback runs `factor` times as fast.
void make_results(const fs::path& directory, double factor, const std::string& job = "bs=4k\n") {
  results::Plan plan = results::example_plan();
  plan.runs.clear();
  const std::vector<double> noise = {1, 1.004, 0.997, 1.001};
  for (unsigned index = 1; index <= 8; ++index) {
    const unsigned block = (index + 1) / 2;
    const bool off = (index + block) % 2 == 0;
    const std::string cell = off ? "off" : "writeback";
    plan.runs.push_back({index, cell, block, (index + 1) % 2 + 1, true});
    results::RunRecord record;
    record.index = index;
    record.cell = cell;
    record.block = block;
    record.position = plan.runs.back().position;
    record.settings = {{"cache mode", cell, cell, "image", "rbd_config_image_list", true}};
    const fs::path folder = directory / "runs" / fmt::format("{:04}-b{}-{}", index, block, cell);
    make_directories(folder);
    write_file_atomically(folder / "run.json", json_text(results::to_json(record)));
    write_file_atomically(
        folder / "fio.json",
        fio_json(static_cast<uint64_t>(10000 * noise[block - 1] * (off ? 1 : factor))));
  }
  write_file_atomically(directory / "job.fio", "[global]\n" + job);
  write_file_atomically(directory / "plan.json", json_text(results::to_json(plan)));
  write_file_atomically(directory / "manifest.json",
                        json_text(results::to_json(results::example_manifest())));
}

class Results : public testing::Test {
 protected:
  Results() {
    make_results(a, 1.2);
    make_results(b, 0.8);
    make_results(other, 1.2, "bs=8k\n");
  }
  TemporaryDirectory temporary;
  // Names that stand in terminals and on command lines.
  const fs::path a = temporary.path() / "a b'$(x)";
  const fs::path b = temporary.path() / "b:1@2";
  const fs::path other = temporary.path() / "other";
};

using LabCompare = Results;
using LabGate = Results;

TEST_F(LabCompare, EndsWithOneIfSomethingIsWorse) {
  Finished f = run_lab({"compare", a.string() + ":off", a.string() + ":writeback"});
  EXPECT_EQ(f.status, 0) << f.err;
  EXPECT_NE(f.out.find("better: write IOPS of 4k-rbd_cache_writeback (+20.0%)"), std::string::npos)
      << f.out;
  f = run_lab({"compare", b.string() + ":off", b.string() + ":cache=writeback"});
  EXPECT_EQ(f.status, 1) << f.out;
  EXPECT_EQ(
      run_lab({"compare", b.string() + ":off", b.string() + ":writeback", "--margin=30%"}).status,
      0);
}

TEST_F(LabCompare, WholeDirectoriesAreNotInterleaved) {
  Finished f = run_lab({"compare", a, b, "--format=json"});
  EXPECT_EQ(f.status, 1) << f.err;
  const Json json = Json::parse(f.out);
  EXPECT_EQ(json.at("rows").size(), 2u);
  EXPECT_EQ(json.at("marks").at(0).at("code"), "not-interleaved");
  EXPECT_EQ(json.at("rows").at(0).at("metrics").at(0).at("verdict"), "equivalent");
  EXPECT_EQ(json.at("rows").at(1).at("metrics").at(0).at("regression"), true);
}

TEST_F(LabCompare, ADirectoryIsNotWorseThanItself) {
  Finished f = run_lab({"compare", b, b});
  EXPECT_EQ(f.status, 0) << f.err;
  EXPECT_NE(f.out.find("Both sides are the same runs"), std::string::npos) << f.out;
}

TEST_F(LabCompare, SingleRunsHaveNoVerdict) {
  Finished f = run_lab({"compare", b.string() + "@1", b.string() + "@2"});
  EXPECT_EQ(f.status, 0) << f.err;
  EXPECT_NE(f.out.find("no statement"), std::string::npos) << f.out;
}

TEST_F(LabCompare, RefusesWhatIsNotComparable) {
  Finished f = run_lab({"compare", a, other});
  EXPECT_EQ(f.status, 2);
  EXPECT_NE(f.err.find("differ in job (bs=4k against bs=8k)"), std::string::npos) << f.err;
  EXPECT_EQ(run_lab({"compare", a, other, "--allow-different=job"}).status, 0);
  f = run_lab({"compare", a, other, "--allow-different=jobs"});
  EXPECT_EQ(f.status, 2);
  EXPECT_NE(f.err.find("did you mean \"job\"?"), std::string::npos) << f.err;
  EXPECT_EQ(run_lab({"compare", a}).status, 2);
  EXPECT_EQ(run_lab({"compare", a, "/nonexistent"}).status, 2);
  EXPECT_EQ(run_lab({"compare", a, b, "--margin=lots"}).status, 2);
  EXPECT_EQ(run_lab({"compare", a, b, "--margin=-1"}).status, 2);
  EXPECT_EQ(run_lab({"compare", a, b, "--format=tidy"}).status, 2);
}

TEST_F(LabCompare, AnInvalidMarkIsStatusFour) {
  const fs::path path = b / "runs/0001-b1-off/run.json";
  results::RunRecord record = results::run_record_from_json(JsonDocument::load(path));
  record.marks.push_back({results::Weight::invalid, "test", "something was badly wrong"});
  write_file_atomically(path, json_text(results::to_json(record)));
  Finished f = run_lab({"compare", b.string() + ":off", b.string() + ":writeback"});
  EXPECT_EQ(f.status, 4) << f.out;
  EXPECT_NE(f.out.find("invalid, before: run 1: something was badly wrong"), std::string::npos)
      << f.out;
}

TEST_F(LabGate, SaysGoOrNoGo) {
  const fs::path policy = temporary.path() / "p.json";
  write_file_atomically(policy,
                        "{ \"rules\": [ // a comment\n"
                        "{ \"figure\": \"write_iops\", \"max_loss_percent\": 5 } ] }");
  const std::string option = "--policy=" + policy.string();
  Finished f = run_lab({"gate", a, option});
  EXPECT_EQ(f.status, 0) << f.err << f.out;
  EXPECT_TRUE(f.out.ends_with("decision: go: 4 checks, none against it\n")) << f.out;
  f = run_lab({"gate", a, b, option, "--format=json"});
  EXPECT_EQ(f.status, 1);
  const Json json = Json::parse(f.out);
  EXPECT_EQ(json.at("decision"), "no-go");
  EXPECT_EQ(json.at("compared").size(), 2u) << "of every directory";
  // Held against another measurement: the policy has to accept that it is not interleaved.
  EXPECT_EQ(run_lab({"gate", b, option, "--cell=off", "--reference=" + a.string()}).status, 1);
  write_file_atomically(policy,
                        "{ \"worst_mark\": \"doubtful\", \"rules\": [ "
                        "{ \"figure\": \"write_iops\", \"max_loss_percent\": 5 } ] }");
  EXPECT_EQ(run_lab({"gate", b, option, "--cell=off", "--reference=" + a.string()}).status, 0);
  EXPECT_EQ(run_lab({"gate", b, option, "--reference=" + a.string()}).status, 1);
}

TEST_F(LabGate, ShippedPoliciesAreFoundByName) {
  Finished f = run_lab({"gate", a, "--policy=allocator", "--cell", "cache=writeback"});
  EXPECT_EQ(f.status, 1) << f.err;
  EXPECT_NE(f.out.find("no data (no-go)"), std::string::npos) << "memory was not measured:\n"
                                                              << f.out;
  f = run_lab({"gate", a, "--policy=alocator"});
  EXPECT_EQ(f.status, 2);
  EXPECT_NE(f.err.find("did you mean \"allocator\"?"), std::string::npos) << f.err;
}

TEST_F(LabGate, InvalidFiguresDecideNothing) {
  const fs::path path = b / "runs/0001-b1-off/run.json";
  results::RunRecord record = results::run_record_from_json(JsonDocument::load(path));
  record.marks.push_back({results::Weight::invalid, "test", "something was badly wrong"});
  write_file_atomically(path, json_text(results::to_json(record)));
  Finished f = run_lab({"gate", b, "--policy=allocator"});
  EXPECT_EQ(f.status, 4) << f.out;
  EXPECT_NE(f.out.find("decision: not valid"), std::string::npos) << f.out;
}

TEST_F(LabGate, RefusesWhatItCannotJudge) {
  EXPECT_EQ(run_lab({"gate", a}).status, 2) << "no policy";
  EXPECT_EQ(run_lab({"gate", a, "--policy=/nonexistent.json"}).status, 2);
  Finished f = run_lab({"gate", a, "--policy=allocator", "--cell=nothing"});
  EXPECT_EQ(f.status, 2);
  EXPECT_NE(f.err.find("it has: off, writeback"), std::string::npos) << f.err;
  EXPECT_EQ(run_lab({"gate", "/nonexistent", "--policy=allocator"}).status, 2);
  f = run_lab({"gate", a.string() + "@1", "--policy=allocator"});
  EXPECT_EQ(f.status, 2);
  EXPECT_NE(f.err.find("one run has no interval to decide on"), std::string::npos) << f.err;
  f = run_lab({"gate", a, "--policy=allocator", "--cell=off"});
  EXPECT_EQ(f.status, 2);
  EXPECT_NE(f.err.find("would be held against itself"), std::string::npos) << f.err;
  EXPECT_EQ(run_lab({"gate", kCache, "--policy=allocator", "--reference=" + a.string()}).status, 2)
      << "another load";
}

}  // namespace
}  // namespace lab
