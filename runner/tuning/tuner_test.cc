// The order in which a cluster is changed, started anew and put back, on a cluster that only
// writes down what is done to it.
#include "runner/tuning/tuner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "runner/base/temporary_directory.h"
#include "runner/tuning/keys_for_test.h"
#include "tests/complaint.h"

namespace lab {
namespace {

using Log = std::vector<std::string>;

const Knob kLevel = {KnobKind::config, "osd", "debug_ms"};
const Knob kShards = {KnobKind::config, "osd.1", "osd_op_num_shards"};
const Knob kThreads = {KnobKind::config, "client.rgw", "rgw_thread_pool_size"};
const Knob kPreload = {KnobKind::environment, "osd.0", "LD_PRELOAD"};
const Knob kNoscrub = {KnobKind::osd_flag, "", "noscrub"};
const Knob kNoout = {KnobKind::osd_flag, "", "noout"};
const Knob kBalancer = {KnobKind::balancer, "", ""};
const Knob kPool = {KnobKind::autoscale, "rbd", ""};

class FakeBoard : public KnobBoard {
 public:
  FakeBoard(std::set<KnobKind> kinds, Log& log) : kinds_(std::move(kinds)), log_(log) {}

  std::map<Knob, std::string> values;
  std::set<Knob> stuck;       // can't be set
  std::set<Knob> unreadable;  // can't be read
  unsigned questions = 0;
  std::function<void(const Knob&)> before_set = [](const Knob&) {};

  bool has(KnobKind kind) const override { return kinds_.contains(kind); }
  KnobValue read(const Knob& knob) override {
    ++questions;
    return value_of(knob);
  }
  KnobValues read_all(const std::vector<Knob>& knobs) override {
    ++questions;
    KnobValues all;
    for (const Knob& knob : knobs) all[knob] = value_of(knob);
    return all;
  }
  void set(const Knob& knob, const KnobValue& value) override {
    before_set(knob);
    if (stuck.contains(knob)) throw environment_error("refused");
    log_.push_back(value ? describe(knob) + " = " + *value : "no " + describe(knob));
    if (value)
      values[knob] = *value;
    else
      values.erase(knob);
  }

 private:
  KnobValue value_of(const Knob& knob) const {
    if (unreadable.contains(knob)) throw environment_error("no answer");
    const auto found = values.find(knob);
    return found == values.end() ? KnobValue() : found->second;
  }

  std::set<KnobKind> kinds_;
  Log& log_;
};

class FakeDriver : public daemons::Driver {
 public:
  explicit FakeDriver(Log& log) : log_(log) {}

  std::set<std::string> broken;  // don't come up

  std::vector<std::string> daemons() override { return {"mon.a", "osd.0", "osd.1", "rgw.a"}; }
  void restart(const std::string& daemon) override {
    if (broken.contains(daemon)) throw environment_error("ended at once");
    log_.push_back("start " + daemon);
  }
  // The tuner reaches these through a board, if at all.
  daemons::Environment environment(const std::string&) override { return {}; }
  void set_variable(const std::string&, const std::string&,
                    const std::optional<std::string>&) override {}
  std::string program(const std::string&) override { return ""; }
  void set_program(const std::string&, const std::string&) override {}
  void check_settled(const std::string&) override {}
  void stop(const std::string&) override {}
  void start(const std::string&) override {}
  bool makes_stores() const override { return false; }
  bool has_store(const std::string&) override { return true; }
  void destroy_store(const std::string&) override {}
  void make_store(const std::string&) override {}
  std::optional<ProcessId> process(const std::string&) override { return {}; }
  fs::path admin_socket(const std::string&) override { return {}; }
  std::string error_output(const std::string&) override { return ""; }
  OrderedJson address() override { return nullptr; }

 private:
  Log& log_;
};

class FakeCluster : public TunedCluster {
 public:
  explicit FakeCluster(Log& log) : log_(log) {}

  bool acts_at_runtime(const std::string& option) override {
    return option != kShards.name && option != kThreads.name;
  }
  // One failure domain each.
  std::vector<std::vector<std::string>> restart_groups(
      const std::set<std::string>& daemons) override {
    std::vector<std::vector<std::string>> groups;
    for (const std::string& daemon : daemons) groups.push_back({daemon});
    return groups;
  }
  void wait_clean(std::chrono::seconds) override { log_.emplace_back("clean"); }

 private:
  Log& log_;
};

class TunerTest : public ::testing::Test {
 protected:
  // What was done since the last call.
  Log done() { return std::exchange(log_, {}); }
  ClusterRecord record() { return ClusterRecord(keys_.store()); }
  std::optional<Changes> left() {
    ClusterRecord found = record();
    return find_changes(path_, found);
  }
  std::vector<KnobBoard*> boards() { return {&cluster_board_, &host_board_}; }

  Log log_;
  TemporaryDirectory directory_;
  fs::path path_ = directory_.path() / "f.journal";
  KeysForTest keys_;
  FakeCluster cluster_{log_};
  FakeDriver driver_{log_};
  FakeBoard cluster_board_{{KnobKind::config, KnobKind::osd_flag, KnobKind::balancer,
                            KnobKind::autoscale, KnobKind::reweight},
                           log_};
  FakeBoard host_board_{
      {KnobKind::environment, KnobKind::program, KnobKind::running, KnobKind::store}, log_};
  Journal journal_{{"f", ceph::this_process("lab run"), nullptr}, path_, record()};
  Tuner tuner_{cluster_, &driver_, boards(), journal_, [](const std::string&) {}};
};

TEST_F(TunerTest, WhatKeepsTheClusterCalmIsPutBackLast) {
  cluster_board_.values = {
      {kLevel, "0/5"}, {kBalancer, "on"}, {kBalancerOption, "true"}, {kPool, "warn"}};
  tuner_.enter({{kLevel, "0/0"},
                {kPreload, "/l/libjemalloc.so"},
                {kNoscrub, "on"},
                {kNoout, "on"},
                {kBalancer, "off"},
                {kBalancerOption, "false"},
                {kPool, "off"}},
               {});
  EXPECT_EQ(done(), (Log{"config mgr mgr/balancer/active = false", "config osd debug_ms = 0/0",
                         "OSD flag noout = on", "OSD flag noscrub = on", "balancer = off",
                         "environment of osd.0: LD_PRELOAD = /l/libjemalloc.so",
                         "autoscaler of pool rbd = off", "start osd.0", "clean"}));
  ASSERT_TRUE(left());
  tuner_.restore();
  EXPECT_EQ(done(),
            (Log{"no environment of osd.0: LD_PRELOAD", "config osd debug_ms = 0/5", "start osd.0",
                 "clean", "autoscaler of pool rbd = warn", "balancer = on", "no OSD flag noscrub",
                 "no OSD flag noout", "config mgr mgr/balancer/active = true"}));
  EXPECT_FALSE(left());
  EXPECT_TRUE(journal_.empty());
  EXPECT_TRUE(keys_.values.empty());
  // Nothing is left to do.
  tuner_.restore();
  EXPECT_EQ(done(), Log{});
}

TEST_F(TunerTest, EachChangeIsInTheJournalBefore) {
  const auto check = [this](const Knob& knob) {
    ASSERT_TRUE(left());
    const std::vector<Undo> undos = left()->undos;
    EXPECT_TRUE(std::any_of(undos.begin(), undos.end(), [&](const Undo& undo) {
      return undo.knob == knob;
    })) << describe(knob);
  };
  cluster_board_.before_set = check;
  host_board_.before_set = check;
  tuner_.enter({{kLevel, "0/0"}, {kNoscrub, "on"}}, {});
  tuner_.enter({{kShards, "4"}, {kPreload, "/l/x.so"}}, {});
  EXPECT_EQ(left()->restarts, (std::vector<std::string>{"osd.0", "osd.1"}));
}

TEST_F(TunerTest, OnlyThoseAreStartedAnewForWhichAValueActsAtStart) {
  tuner_.enter({{kLevel, "0/0"}}, {});
  EXPECT_EQ(done(), Log{"config osd debug_ms = 0/0"});
  EXPECT_EQ(tuner_.enter({{kThreads, "128"}, {kShards, "4"}}, {}),
            (std::vector<std::string>{"osd.1", "rgw.a"}));
  EXPECT_EQ(done(), (Log{"no config osd debug_ms", "config client.rgw rgw_thread_pool_size = 128",
                         "config osd.1 osd_op_num_shards = 4", "start osd.1", "clean",
                         "start rgw.a", "clean"}));
  // The same once more changes nothing; another restart of the same level is a restart.
  EXPECT_TRUE(tuner_.enter({{kThreads, "128"}, {kShards, "4"}}, {}).empty());
  EXPECT_EQ(done(), Log{});
  tuner_.enter({{kThreads, "128"}, {kShards, "4"}}, {"rgw.a"});
  EXPECT_EQ(done(), (Log{"start rgw.a", "clean"}));
  tuner_.restore();
  EXPECT_EQ(done(),
            (Log{"no config osd.1 osd_op_num_shards", "no config client.rgw rgw_thread_pool_size",
                 "start osd.1", "clean", "start rgw.a", "clean"}));
}

TEST_F(TunerTest, DaemonsThatRunAsFoundAreNotStartedOnceMore) {
  tuner_.enter({{kShards, "4"}}, {});
  tuner_.enter({}, {"osd.0"});
  done();
  tuner_.restore();
  EXPECT_EQ(done(), Log{}) << "all was as found already";
  EXPECT_FALSE(left());
}

TEST_F(TunerTest, WhatWasNotThereIsNotThereAgain) {
  cluster_board_.values = {{kShards, "8"}};
  tuner_.enter({{kLevel, "0/0"}, {kShards, {}}}, {});
  EXPECT_EQ(done(), (Log{"config osd debug_ms = 0/0", "no config osd.1 osd_op_num_shards",
                         "start osd.1", "clean"}));
  tuner_.restore();
  EXPECT_EQ(cluster_board_.values, (std::map<Knob, std::string>{{kShards, "8"}}));
}

TEST_F(TunerTest, WhatCannotBePutBackIsToldAndStaysInTheJournal) {
  tuner_.enter({{kLevel, "0/0"}, {kPreload, "/l/x.so"}, {kNoscrub, "on"}}, {});
  done();
  cluster_board_.stuck = {kLevel};
  const std::string text = complaint([&] { tuner_.restore(); }, Exit::not_restored);
  EXPECT_NE(text.find("config osd debug_ms: refused"), std::string::npos) << text;
  EXPECT_EQ(text.find("refused"), text.rfind("refused")) << "told twice: " << text;
  // All others are.
  EXPECT_EQ(done(), (Log{"no environment of osd.0: LD_PRELOAD", "start osd.0", "clean",
                         "no OSD flag noscrub"}));
  ASSERT_TRUE(left());
  EXPECT_EQ(left()->undos.size(), 3u);
  cluster_board_.stuck.clear();
  tuner_.restore();
  EXPECT_EQ(done(), Log{"no config osd debug_ms"});
  EXPECT_FALSE(left());
}

TEST_F(TunerTest, WhatCannotBeReadKeepsNothingElseFromBeingPutBack) {
  tuner_.enter({{kBalancer, "off"}, {kNoscrub, "on"}, {kLevel, "0/0"}}, {});
  done();
  cluster_board_.unreadable = {kBalancer};
  const std::string text = complaint([&] { tuner_.restore(); }, Exit::not_restored);
  EXPECT_NE(text.find("balancer: no answer"), std::string::npos) << text;
  EXPECT_EQ(done(), (Log{"no config osd debug_ms", "no OSD flag noscrub"}));
  EXPECT_TRUE(left());
}

TEST_F(TunerTest, NooutStaysAsLongAsADaemonIsNotBack) {
  tuner_.enter({{kPreload, "/l/x.so"}, {kNoout, "on"}}, {});
  driver_.broken = {"osd.0"};
  const std::string text = complaint([&] { tuner_.restore(); }, Exit::not_restored);
  EXPECT_NE(text.find("osd.0: ended at once"), std::string::npos) << text;
  EXPECT_TRUE(cluster_board_.values.contains(kNoout));
  done();
  driver_.broken.clear();
  tuner_.restore();
  EXPECT_EQ(done(), (Log{"start osd.0", "clean", "no OSD flag noout"}));
}

TEST_F(TunerTest, APoolThatIsGoneHasNothingToBePutBack) {
  cluster_board_.values = {{kPool, "on"}};
  tuner_.enter({{kPool, "off"}}, {});
  cluster_board_.values.clear();
  done();
  tuner_.enter({}, {});
  tuner_.restore();
  EXPECT_EQ(done(), Log{});
  EXPECT_FALSE(left());
}

TEST_F(TunerTest, TakesOverWhatAnotherProcessHasLeft) {
  cluster_board_.values = {{kLevel, "0/5"}};
  tuner_.enter({{kLevel, "0/0"}, {kPreload, "/l/x.so"}, {kNoscrub, "on"}}, {"rgw.a"});
  done();
  // It is gone here; all that is left of it is what it has written.
  const Changes changes = *left();
  Journal journal = Journal::reopen(changes, path_, record());
  Tuner next(cluster_, &driver_, boards(), journal, [](const std::string&) {});
  next.take_over(changes);
  next.restore();
  EXPECT_EQ(done(), (Log{"no environment of osd.0: LD_PRELOAD", "config osd debug_ms = 0/5",
                         "start osd.0", "clean", "start rgw.a", "clean", "no OSD flag noscrub"}));
  EXPECT_EQ(cluster_board_.values, (std::map<Knob, std::string>{{kLevel, "0/5"}}));
  EXPECT_FALSE(left());
}

TEST_F(TunerTest, PartOfItLeavesTheJournalOpen) {
  tuner_.enter({{kLevel, "0/0"}}, {});
  tuner_.restore(false);
  EXPECT_TRUE(cluster_board_.values.empty());
  EXPECT_TRUE(left());
}

TEST_F(TunerTest, WithoutADriverNothingThatActsAtStartIsTouched) {
  Tuner tuner(cluster_, nullptr, {&cluster_board_}, journal_, [](const std::string&) {});
  EXPECT_NE(complaint(
                [&] {
                  tuner.enter({{kLevel, "0/0"}, {kShards, "4"}}, {});
                },
                Exit::environment)
                .find("acts only when its daemons are started anew"),
            std::string::npos);
  EXPECT_EQ(done(), Log{});
}

// Each question may be an answer of megabytes from the monitors.
TEST_F(TunerTest, AFailedOsdGetsItsStoreBeforeItIsStarted) {
  const Knob running{KnobKind::running, "osd.0", ""};
  const Knob store{KnobKind::store, "osd.0", ""};
  host_board_.values = {{running, "yes"}, {store, "made"}};
  for (const bool at_the_end : {false, true}) {
    tuner_.enter({{running, {}}}, {});
    tuner_.enter({{running, {}}, {store, {}}}, {});
    EXPECT_EQ(done(), (Log{"no osd.0 running", "no store of osd.0"}));
    if (at_the_end)
      tuner_.restore();
    else
      tuner_.enter({}, {});
    const Log back = done();
    ASSERT_GE(back.size(), 2u);
    EXPECT_EQ(back[0], "store of osd.0 = made");
    EXPECT_EQ(back[1], "osd.0 running = yes");
    // Nobody waits for data in between: it is the end that leaves the cluster clean.
    EXPECT_EQ(back.size() == 3 && back[2] == "clean", at_the_end);
  }
  EXPECT_FALSE(left());
}

TEST_F(TunerTest, AnOsdThatWasRemovedMeanwhileHasNoWeightToBePutBack) {
  const Knob weight{KnobKind::reweight, "osd.3", ""};
  cluster_board_.values = {{weight, "0.85"}};
  tuner_.enter({{weight, "0"}}, {});
  cluster_board_.values.erase(weight);
  done();
  tuner_.enter({}, {});
  tuner_.restore();
  EXPECT_EQ(done(), Log{"clean"});
  EXPECT_FALSE(left());
}

TEST_F(TunerTest, ManyValuesTakeFewQuestions) {
  KnobValues wanted;
  for (int i = 0; i < 100; ++i)
    wanted[{KnobKind::config, "osd", fmt::format("debug_{}", i)}] = "0/0";
  tuner_.enter(wanted, {});
  EXPECT_EQ(cluster_board_.questions, 2u) << "how they were, and whether they are there";
  tuner_.enter({}, {});
  EXPECT_EQ(cluster_board_.questions, 3u);
  tuner_.enter(wanted, {});
  cluster_board_.questions = 0;
  tuner_.restore();
  EXPECT_EQ(cluster_board_.questions, 2u);
  EXPECT_TRUE(cluster_board_.values.empty());
}

}  // namespace
}  // namespace lab
