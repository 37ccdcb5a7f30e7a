#include "engines/rbd/effective.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::rbd {
namespace {

EffectiveOptions options(const std::string& cache, const std::string& policy,
                         const std::string& until_flush = "false",
                         const std::string& max_dirty = "25165824") {
  return {{"rbd_cache", {cache, "config"}},
          {"rbd_cache_policy", {policy, "config"}},
          {"rbd_cache_writethrough_until_flush", {until_flush, "config"}},
          {"rbd_cache_max_dirty", {max_dirty, "config"}},
          {"rbd_persistent_cache_mode", {"disabled", "config"}}};
}

Options asked(CacheMode mode) {
  Options o;
  o.pool = "p";
  o.rbdname = "i";
  o.cache = mode;
  return o;
}

std::string complaint(CacheMode mode, const EffectiveOptions& effective, bool cacher) {
  return cache_mismatch(asked(mode), effective, cacher).value_or("");
}

TEST(EffectiveCache, DecidesAsLibrbdDoes) {
  EXPECT_EQ(effective_cache(options("false", "writeback")), CacheMode::off);
  EXPECT_EQ(effective_cache(options("true", "writethrough")), CacheMode::writethrough);
  EXPECT_EQ(effective_cache(options("true", "writeback")), CacheMode::writeback);
  EXPECT_EQ(effective_cache(options("true", "writearound")), CacheMode::writearound);
  EXPECT_EQ(effective_cache(options("true", "writeback", "false", "0")), CacheMode::writethrough);
  EXPECT_EQ(effective_cache(options("true", "writearound", "false", "0")), CacheMode::off);
}

TEST(CacheMismatch, AcceptsWhatIsInForce) {
  EXPECT_EQ(complaint(CacheMode::off, options("false", "writearound", "true"), false), "");
  EXPECT_EQ(complaint(CacheMode::writethrough, options("true", "writethrough", "true"), true), "");
  EXPECT_EQ(complaint(CacheMode::writeback, options("true", "writeback"), true), "");
  EXPECT_EQ(complaint(CacheMode::writearound, options("true", "writearound"), false), "");
  EXPECT_EQ(complaint(CacheMode::config, options("true", "writeback", "true"), true), "");
}

TEST(CacheMismatch, NamesTheMaskingOptionItsSourceAndTheRepair) {
  EffectiveOptions masked = options("true", "writearound");
  masked["rbd_cache"].source = "image";
  EXPECT_EQ(complaint(CacheMode::off, masked, false),
            "image p/i: cache=off was asked for, but rbd_cache is \"true\" (from the image's own "
            "settings), not \"false\"; remove the image's own value: rbd config image remove p/i "
            "rbd_cache");
  masked["rbd_cache_policy"] = {"writethrough", "pool"};
  EXPECT_NE(complaint(CacheMode::writeback, masked, true)
                .find("rbd config pool remove p rbd_cache_policy"),
            std::string::npos);
}

TEST(CacheMismatch, WritebackMustBeAbleToBeDirtyFromTheStart) {
  EXPECT_NE(complaint(CacheMode::writeback, options("true", "writeback", "true"), true)
                .find("rbd_cache_writethrough_until_flush"),
            std::string::npos);
  EXPECT_NE(complaint(CacheMode::writearound, options("true", "writearound", "false", "0"), false)
                .find("rbd_cache_max_dirty"),
            std::string::npos);
}

TEST(CacheMismatch, OptionsAloneAreNoProof) {
  EXPECT_NE(complaint(CacheMode::writeback, options("true", "writeback"), false)
                .find("didn't make an object cache"),
            std::string::npos);
  EXPECT_NE(
      complaint(CacheMode::off, options("false", "writearound"), true).find("made an object cache"),
      std::string::npos);
  EXPECT_NE(complaint(CacheMode::off, {}, false).find("can't be proven"), std::string::npos);
}

TEST(CacheMismatch, APersistentCacheIsNotAskedFor) {
  EffectiveOptions o = options("false", "writearound");
  o["rbd_persistent_cache_mode"] = {"rwl", "image"};
  EXPECT_NE(complaint(CacheMode::off, o, false).find("rbd_persistent_cache_mode"),
            std::string::npos);
}

TEST(HasObjectCacher, LooksForThisImageOnly) {
  std::string dump = R"({"librbd-1-p-i":{},"objectcacher-librbd-12-p-j":{"cache_ops_hit":0}})";
  EXPECT_TRUE(has_object_cacher(dump, "12"));
  EXPECT_FALSE(has_object_cacher(dump, "1"));
  EXPECT_THROW(has_object_cacher("ERROR", "1"), Error);
}

}  // namespace
}  // namespace lab::rbd
