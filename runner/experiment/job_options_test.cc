#include "runner/experiment/job_options.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

const std::string kJson = R"(fio: a warning before the document
{"global options": {"ioengine": "libaio", "bs": "4k"},
 "jobs": [{"job options": {"rw": "randread"}}, {"job options": {"iodepth": "8"}}]})";

std::optional<bool> verified(const std::string& option, const std::string& value) {
  auto proofs = prove_job_options({JobOptions{{{option, value}}}}, kJson);
  EXPECT_EQ(proofs.size(), 1u);
  return proofs.at(0).verified;
}

TEST(ProveJobOptions, LooksAtEveryJobOverTheGlobals) {
  EXPECT_EQ(verified("ioengine", "libaio"), true);
  EXPECT_EQ(verified("ioengine", "io_uring"), false);
  EXPECT_EQ(verified("iodepth", "8"), false) << "one of the jobs doesn't have it";
  EXPECT_EQ(verified("blocksize", "4k"), true) << "fio prints the main name";
}

TEST(ProveJobOptions, NoOutputIsNoProof) {
  auto proofs = prove_job_options({JobOptions{{{"bs", "4k"}}}}, "");
  ASSERT_EQ(proofs.size(), 1u);
  EXPECT_FALSE(proofs[0].verified);
}

}  // namespace
}  // namespace lab
