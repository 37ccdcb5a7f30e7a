#include "runner/plan/objection.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

const std::vector<Cell> kCache = {{"off", "", {}, {CacheMode{"off"}}},
                                  {"writeback", "", {}, {CacheMode{"writeback"}}}};

TEST(Objection, FiosOwnEngineTurnsTheCacheOffUnderDirect) {
  JobFile direct = JobFile::parse("[global]\ndirect=1\n[a]\nrw=read\n", "j.fio");
  auto text = objection_to("rbd-builtin", direct, kCache);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("section [a] has direct=1"), std::string::npos);
  EXPECT_TRUE(objection_to("rbd-builtin", direct,
                           {{"x", "", {}, {ClientOptions{{{"rbd_cache_policy", "writeback"}}}}}}));
}

TEST(Objection, NoneWhereTheSettingsAct) {
  JobFile direct = JobFile::parse("[a]\nrw=read\ndirect=1\n", "j.fio");
  JobFile buffered = JobFile::parse("[a]\nrw=read\ndirect=0\n", "j.fio");
  EXPECT_FALSE(objection_to("rbd", direct, kCache));
  EXPECT_FALSE(objection_to("rbd-builtin", buffered, kCache));
  EXPECT_FALSE(objection_to("rbd-builtin", direct, cross({})));
}

}  // namespace
}  // namespace lab
