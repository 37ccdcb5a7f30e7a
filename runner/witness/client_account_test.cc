#include "runner/witness/client_account.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"

namespace lab::witness {
namespace {

analysis::FioOutput fio_output() {
  analysis::FioOutput fio;
  analysis::FioJob job;
  job.write.total_ios = 1000;
  job.write.io_bytes = 4096 * 1000;
  fio.jobs.push_back(job);
  job.write = {};
  job.read.total_ios = 500;
  job.read.io_bytes = 65536 * 500;
  fio.jobs.push_back(job);
  return fio;
}

results::SettingProof cache_proof(const std::string& effective) {
  results::SettingProof proof;
  proof.name = "cache mode";
  proof.asked = proof.effective = effective;
  proof.verified = true;
  return proof;
}

TEST(ClientAccount, AddsUpFiosJobs) {
  const ClientAccount account = account_of(fio_output(), nullptr, {cache_proof("off")});
  EXPECT_TRUE(account.whole);
  EXPECT_EQ(account.writes, 1000u);
  EXPECT_EQ(account.reads, 500u);
  EXPECT_EQ(account.write_bytes, 4096);
  EXPECT_EQ(account.read_bytes, 65536);
  EXPECT_EQ(account.opens, 2u);
  ASSERT_TRUE(account.cached);
  EXPECT_FALSE(*account.cached);
}

TEST(ClientAccount, FioAloneDoesNotTellAllOfARunWithARamp) {
  analysis::FioOutput fio = fio_output();
  fio.global_options["ramp_time"] = "5";
  EXPECT_FALSE(account_of(fio, nullptr, {}).whole);
  fio.global_options["ramp_time"] = "0";
  EXPECT_TRUE(account_of(fio, nullptr, {}).whole);
}

TEST(ClientAccount, LabsEngineTellsAllAndItsCache) {
  analysis::FioOutput fio = fio_output();
  fio.global_options["ramp_time"] = "5";
  results::Effective effective;
  effective.opens.push_back({.engine = "rbd", .cache_effective = "off"});
  effective.opens.push_back({.engine = "rbd", .cache_effective = "writeback"});
  effective.closes.push_back({.engine = "rbd", .reads = 700, .writes = 1500});
  effective.closes.push_back({.engine = "rbd", .reads = 1, .trims = 3});
  const ClientAccount account = account_of(fio, &effective, {});
  EXPECT_TRUE(account.whole);
  EXPECT_EQ(account.reads, 701u);
  EXPECT_EQ(account.writes, 1500u);
  EXPECT_EQ(account.trims, 3u);
  EXPECT_EQ(account.write_bytes, 4096) << "of one write, as fio has it";
  EXPECT_TRUE(account.cached.value_or(false)) << "in force for one of them";

  effective.closes.pop_back();
  EXPECT_FALSE(account_of(fio, &effective, {}).whole) << "a job left no closing record";
}

TEST(ClientAccount, FailedIosMakeItPartial) {
  analysis::FioOutput fio = fio_output();
  fio.jobs[0].total_errors = 1;
  EXPECT_FALSE(account_of(fio, nullptr, {}).whole);
}

TEST(ClientAccount, AnUnreadableRunTellsNothing) {
  const TemporaryDirectory dir;
  EXPECT_FALSE(read_account(dir.path(), {}).whole);
  write_file_atomically(dir.path() / "fio.json", "{ cut off");
  EXPECT_FALSE(read_account(dir.path(), {}).whole);
}

TEST(ClientAccount, AContradictedProofStillTellsWhatIsInForce) {
  results::SettingProof proof = cache_proof("off");
  proof.asked = "writeback";
  proof.verified = false;
  EXPECT_FALSE(account_of(fio_output(), nullptr, {proof}).cached.value_or(true));
  proof.verified.reset();
  EXPECT_FALSE(account_of(fio_output(), nullptr, {proof}).cached) << "nothing was read back";
}

}  // namespace
}  // namespace lab::witness
