#include "engines/rbd/options.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::rbd {
namespace {

Options some() {
  Options o;
  o.pool = "rbd";
  o.rbdname = "image";
  return o;
}

std::string refusal(const Options& options) {
  try {
    settings_of(options);
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::usage);
    return e.what();
  }
  return "(accepted)";
}

TEST(CacheSettings, SayEverythingThatMakesTheMode) {
  EXPECT_EQ(cache_settings(CacheMode::off), (Settings{{"rbd_cache", "false"}}));
  EXPECT_EQ(cache_settings(CacheMode::writethrough),
            (Settings{{"rbd_cache", "true"}, {"rbd_cache_policy", "writethrough"}}));
  EXPECT_EQ(cache_settings(CacheMode::writeback),
            (Settings{{"rbd_cache", "true"},
                      {"rbd_cache_policy", "writeback"},
                      {"rbd_cache_writethrough_until_flush", "false"}}));
  EXPECT_EQ(cache_settings(CacheMode::writearound)[1].second, "writearound");
  EXPECT_TRUE(cache_settings(CacheMode::config).empty());
}

TEST(ParseSettings, TakesKeysAsCephSpellsThem) {
  EXPECT_EQ(parse_settings(""), Settings{});
  EXPECT_EQ(parse_settings("a=1,rbd cache-size = 5 "),
            (Settings{{"a", "1"}, {"rbd_cache_size", "5"}}));
  EXPECT_EQ(parse_settings("mon_host=a,b,x="), (Settings{{"mon_host", "a,b"}, {"x", ""}}));
  EXPECT_EQ(parse_settings("a=b=c"), (Settings{{"a", "b=c"}}));
}

TEST(ParseSettings, RefusesWhatIsNoSetting) {
  EXPECT_THROW(parse_settings("rbd_cache"), Error);
  EXPECT_THROW(parse_settings("=1"), Error);
}

TEST(SettingsOf, RefusesWhatTheJobMustNotSet) {
  Options o = some();
  o.cache = CacheMode::off;
  o.rados_conf = "rbd-cache=true";
  EXPECT_NE(refusal(o).find("cache=off sets it to false"), std::string::npos) << refusal(o);
  o.cache = CacheMode::config;
  EXPECT_EQ(settings_of(o), (Settings{{"rbd_cache", "true"}}));
  o.rados_conf = "admin_socket=/x";
  EXPECT_NE(refusal(o).find("admin_socket"), std::string::npos);
  o.pool.clear();
  EXPECT_NE(refusal(o).find("pool="), std::string::npos);
  o = some();
  o.rbdname.clear();
  EXPECT_NE(refusal(o).find("rbdname="), std::string::npos);
}

TEST(Keys, JobsShareWhatIsEqualOnly) {
  Options a = some();
  Options b = some();
  b.job = "other";
  b.effective = "/x";
  EXPECT_EQ(image_key(a), image_key(b));
  b.rbdname = "image2";
  EXPECT_EQ(connection_key(a), connection_key(b));
  EXPECT_NE(image_key(a), image_key(b));
  b = some();
  b.cache = CacheMode::off;
  EXPECT_NE(connection_key(a), connection_key(b));
  b = some();
  b.clientname = "client.admin";  // the default, said in full
  EXPECT_EQ(connection_key(a), connection_key(b));
  b.clientname = "other";
  EXPECT_NE(connection_key(a), connection_key(b));
}

TEST(ImageSpec, IsWhatTheRbdProgramTakes) {
  Options o = some();
  EXPECT_EQ(image_spec(o), "rbd/image");
  o.name_space = "ns";
  EXPECT_EQ(image_spec(o), "rbd/ns/image");
}

}  // namespace
}  // namespace lab::rbd
