#include "runner/rollout/validate.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"
#include "tests/complaint.h"

namespace lab::rollout {
namespace {

ValidateRequest example() {
  ValidateRequest r;
  r.factor = "allocator";
  r.from = "glibc";
  r.to = "jemalloc";
  r.policy = "allocator";
  r.job = "jobs/4k-randrw.fio";
  r.recovery_job = "jobs/recovery.fio";
  r.repeat = 6;
  r.recovery_repeat = 2;
  r.recovery.method = recovery::Method::out;
  r.canary = "osd.1";
  r.common.runtime_s = 10;
  r.common.mark = "m";
  return r;
}

TEST(ValidateRequest, IsReadBackAsItWasWritten) {
  const JsonDocument document = JsonDocument::parse(json_text(to_json(example())), "v");
  EXPECT_EQ(to_json(validate_request_from_json(document)), to_json(example()));
}

TEST(Validate, WhatCannotBeValidatedIsToldBeforeAnythingIsMade) {
  const TemporaryDirectory dir;
  RunOptions options;
  options.out = dir.path();
  ValidateRequest same = example();
  same.to = "glibc";
  EXPECT_NE(complaint([&] { validate(same, options); }).find("nothing to validate"),
            std::string::npos);
  ValidateRequest unknown = example();
  unknown.to = "jemaloc";
  EXPECT_NE(complaint([&] { validate(unknown, options); }).find("jemalloc"), std::string::npos);
  ValidateRequest policy = example();
  policy.policy = "alocator";
  EXPECT_NE(complaint([&] { validate(policy, options); }).find("allocator"), std::string::npos);
  options.resume = true;
  EXPECT_NE(complaint([&] { validate(example(), options); }).find("no unfinished validation"),
            std::string::npos);
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

}  // namespace
}  // namespace lab::rollout
