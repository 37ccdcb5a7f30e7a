#include "runner/sandbox/state.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/error.h"

namespace lab::sandbox {
namespace {

class StateFile : public testing::Test {
 protected:
  void SetUp() override {
    layout_.dir = fs::temp_directory_path() / fmt::format("lab-state-test-{}", getpid());
    make_directories(layout_.dir);
  }
  void TearDown() override { fs::remove_all(layout_.dir); }

  State example() const {
    State state;
    state.phase = Phase::running;
    state.token = "t";
    state.created_directory = true;
    state.fsid = "f";
    state.created = "2026-01-01T00:00:00Z";
    state.up_seconds = 7.5;
    state.options = {
        .dir = layout_.dir, .osds = 2, .osd_bytes = 1 << 30, .osd_environment = {{"A", "b c"}}};
    state.ports = {20000};
    state.s3 = S3User{"http://127.0.0.1:1", "lab", "AK", "SK"};
    state.daemons = {{.name = "osd.0",
                      .argv = {"ceph-osd", "-i", "0"},
                      .environment = {{"LD_PRELOAD", "/x.so"}},
                      .process = {12, 34},
                      .port = 20016,
                      .wanted = false,
                      .cpus = {0, 3}}};
    return state;
  }

  std::string failure() const {
    try {
      load(layout_);
    } catch (const Error& e) {
      return e.what();
    }
    return "loaded";
  }

  Layout layout_;
};

TEST_F(StateFile, ComesBackAsItWasSaved) {
  State state = example();
  save(state, layout_);
  std::optional<State> back = load(layout_);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_json(*back, layout_), to_json(state, layout_));
  EXPECT_EQ(back->phase, Phase::running);
  EXPECT_EQ(back->options.osd_environment.at("A"), "b c");
  ASSERT_TRUE(back->daemon("osd.0"));
  EXPECT_EQ(back->daemon("osd.0")->process, (ProcessId{12, 34}));
  EXPECT_FALSE(back->daemon("osd.0")->wanted);
  EXPECT_FALSE(back->daemon("osd.1"));
}

TEST_F(StateFile, HoldsSecretsAndIsPrivate) {
  save(example(), layout_);
  struct stat info {};
  ASSERT_EQ(stat(layout_.state().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(StateFile, NoFileIsNoSandbox) { EXPECT_FALSE(load(layout_)); }

TEST_F(StateFile, AForeignOrDamagedFileIsRefused) {
  write_file_atomically(layout_.state(), "{\"what\": \"other\"}");
  EXPECT_NE(failure().find("no state of a lab sandbox"), std::string::npos);
  write_file_atomically(layout_.state(), "[1]");
  EXPECT_NE(failure().find("no state of a lab sandbox"), std::string::npos);
  write_file_atomically(layout_.state(), "{\"what\": \"lab sandbox\", \"format\": 1");
  EXPECT_NE(failure().find("damaged"), std::string::npos);
  OrderedJson json = to_json(example(), layout_);
  json.erase("token");
  write_file_atomically(layout_.state(), json.dump());
  EXPECT_NE(failure().find("damaged"), std::string::npos);
  json = to_json(example(), layout_);
  json["format"] = 99;
  write_file_atomically(layout_.state(), json.dump());
  EXPECT_NE(failure().find("another version"), std::string::npos);
}

TEST_F(StateFile, OfAnotherDirectoryIsRefused) {
  save(example(), layout_);
  OrderedJson json = OrderedJson::parse(read_file(layout_.state()));
  EXPECT_THROW(state_from_json(json, {"/elsewhere"}), Error);
}

}  // namespace
}  // namespace lab::sandbox
