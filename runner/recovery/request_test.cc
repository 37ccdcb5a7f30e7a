#include "runner/recovery/request.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace lab::recovery {
namespace {

TEST(RecoveryRequest, IsReadBackAsItWasWritten) {
  Request asked;
  asked.method = Method::host;
  asked.osd = 7;
  asked.host = "h1";
  asked.load = false;
  asked.baseline_s = 1;
  asked.failure_s = 2;
  asked.clean_s = 3;
  asked.cool_down_s = 4;
  asked.limit_s = 5;
  const JsonDocument document = JsonDocument::parse(json_text(to_json(asked)), "m");
  const Request read = request_from_json(JsonObject(document, ""));
  EXPECT_EQ(to_json(read), to_json(asked));
}

TEST(RecoveryRequest, AnUnknownMethodIsNamedWithThoseThereAre) {
  EXPECT_EQ(complaint([] { method_of("kill"); }),
            "\"kill\" is no method of a recovery: stop, out, rebuild or host");
  for (const char* text : {"stop", "out", "rebuild", "host"})
    EXPECT_EQ(to_text(method_of(text)), text);
}

}  // namespace
}  // namespace lab::recovery
