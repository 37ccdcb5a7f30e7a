#include "engines/rbd/record.h"

#include <gtest/gtest.h>

#include "runner/base/json.h"

namespace lab::rbd {
namespace {

Options some() {
  Options o;
  o.pool = "p";
  o.rbdname = "i";
  o.cache = CacheMode::writeback;
  o.job = "write \"x\"";
  o.subjob = 3;
  return o;
}

TEST(OpenRecord, SaysWhatIsInForceAndFromWhere) {
  ImageState state;
  state.size_bytes = 1 << 30;
  state.ceph_version = "ceph version 1.2";
  state.cache_effective = CacheMode::writeback;
  state.object_cacher = true;
  state.options = {{"rbd_cache", {"true", "pool"}}};
  state.client_options = {{"debug_ms", {"0/0", "override"}}};
  std::string text = open_record(some(), state, {.pid = 7, .time_s = 1.5});
  EXPECT_EQ(text.find('\n'), std::string::npos);
  Json r = Json::parse(text);
  EXPECT_EQ(r["event"], "open");
  EXPECT_EQ(r["engine"], "rbd");
  EXPECT_EQ(r["job"], "write \"x\"");
  EXPECT_EQ(r["subjob"], 3);
  EXPECT_EQ(r["pid"], 7);
  EXPECT_EQ(r["time_s"], 1.5);
  EXPECT_EQ(r["namespace"], "");
  EXPECT_EQ(r["size_bytes"], 1 << 30);
  EXPECT_EQ(r["cache_asked"], "writeback");
  EXPECT_EQ(r["cache_effective"], "writeback");
  EXPECT_EQ(r["cache_objects"], "objectcacher");
  EXPECT_EQ(r["options"]["rbd_cache"]["value"], "true");
  EXPECT_EQ(r["options"]["rbd_cache"]["source"], "pool");
  EXPECT_FALSE(r["options"].contains("debug_ms"));
  EXPECT_EQ(r["client_options"]["debug_ms"]["value"], "0/0");
  EXPECT_EQ(r["client_options"]["debug_ms"]["source"], "override");
}

TEST(OpenRecord, TellsTheCacheObjectsApart) {
  ImageState state;
  auto objects = [&] { return Json::parse(open_record(some(), state, {}))["cache_objects"]; };
  EXPECT_EQ(objects(), "none");
  state.cache_effective = CacheMode::writearound;
  EXPECT_EQ(objects(), "writearound");
  state.object_cacher = true;
  EXPECT_EQ(objects(), "objectcacher");
}

TEST(CloseRecord, CountsTheJob) {
  JobCounts counts{.reads = 1, .writes = 2, .trims = 3, .syncs = 4, .errors = 5, .zero_reads = 6};
  Json r = Json::parse(close_record(some(), counts, 0.25, {.pid = 7, .time_s = 2}));
  EXPECT_EQ(r["event"], "close");
  EXPECT_EQ(r["flush_s"], 0.25);
  EXPECT_EQ(r["reads"], 1);
  EXPECT_EQ(r["writes"], 2);
  EXPECT_EQ(r["trims"], 3);
  EXPECT_EQ(r["syncs"], 4);
  EXPECT_EQ(r["errors"], 5);
  EXPECT_EQ(r["zero_reads"], 6);
}

TEST(Record, SurvivesNamesThatAreNoUtf8) {
  Options o = some();
  o.job = "\xff\xfe";
  EXPECT_EQ(Json::parse(close_record(o, {}, 0, {}))["event"], "close");
}

}  // namespace
}  // namespace lab::rbd
