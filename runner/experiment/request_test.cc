#include "runner/experiment/request.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(RunRequest, ReadsBackAsItWasWritten) {
  RunRequest request;
  request.job = "jobs/a b.fio";
  request.matrix = "cache,x";
  request.target = "block";
  request.repeat = 5;
  request.runtime_s = 2.5;
  request.sweep = {"iodepth=1..256", "bs=4k,64k"};
  request.control = true;
  request.detect = 0.05;
  request.budget_s = 1800;
  request.seed = 1ull << 40;
  request.mark = "m";
  request.device = "/dev/loop0";
  request.destroy_data = {"/dev/loop0", "rbd/x"};
  request.allow_invalid = true;
  JsonDocument document =
      JsonDocument::parse(OrderedJson{{"request", to_json(request)}}.dump(), "manifest.json");
  EXPECT_EQ(to_json(request_from_json(document, "/request")), to_json(request));
}

}  // namespace
}  // namespace lab
