#include "runner/sampling/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "results/samples.h"
#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"
#include "runner/sampling/source.h"
#include "tests/answering_socket.h"
#include "tests/memory_child.h"

namespace lab::sampling {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t kMiB = uint64_t{1} << 20;

struct Line {
  double time_s;
  std::string phase;
  std::string daemon;
  std::string metric;
  uint64_t value;
};

class SamplerTest : public ::testing::Test {
 protected:
  SamplerTest() {
    settings_.period = milliseconds(20);
    settings_.questions = milliseconds(100);
    settings_.patience = milliseconds(100);
  }

  void begin(std::vector<Subject> subjects, std::unique_ptr<Source> source = nullptr) {
    sampler_ = std::make_unique<Sampler>(std::move(subjects), std::move(source), file(), settings_);
    sampler_->start("first");
  }
  static Subject subject(const std::string& name, const MemoryChild& child) {
    return {name, [&child] { return std::optional(child.process()); }};
  }
  static Subject myself(const std::string& name) {
    return {name, [] { return identify(getpid()); }};
  }

  fs::path file() const { return dir_.path() / "samples.csv"; }

  // Lines of a daemon's metric, of one phase or of all.
  std::vector<Line> lines(const std::string& daemon, const std::string& metric,
                          const std::string& phase = "") const {
    results::Samples samples(dir_.path());
    std::vector<Line> found;
    for (results::Sample sample; samples.next(sample);)
      if (sample.daemon == daemon && sample.metric == metric &&
          (phase.empty() || sample.phase == phase))
        found.push_back({sample.time_s, std::string(sample.phase), daemon, metric, sample.value});
    EXPECT_EQ(samples.damaged().count, 0u);
    return found;
  }
  uint64_t last(const std::string& daemon, const std::string& metric) const {
    const std::vector<Line> found = lines(daemon, metric);
    return found.empty() ? 0 : found.back().value;
  }
  uint64_t most(const std::string& daemon, const std::string& metric,
                const std::string& phase) const {
    uint64_t most = 0;
    for (const Line& line : lines(daemon, metric, phase)) most = std::max(most, line.value);
    return most;
  }
  static bool within(const std::function<bool()>& condition) {
    for (int i = 0; i < 500; ++i) {
      if (condition()) return true;
      usleep(20'000);
    }
    return false;
  }

  TemporaryDirectory dir_;
  Settings settings_;
  std::unique_ptr<Sampler> sampler_;
};

TEST_F(SamplerTest, FollowsWhatAProcessHolds) {
  MemoryChild child;
  begin({subject("osd.0", child)});
  ASSERT_TRUE(within([&] { return !lines("osd.0", "rss").empty(); }));
  const uint64_t before = last("osd.0", "rss");
  child.hold(64 * kMiB);
  ASSERT_TRUE(within([&] { return last("osd.0", "rss") >= before + 62 * kMiB; }));
  const Account account = sampler_->stop();
  EXPECT_GE(last("osd.0", "rss_anon"), 64 * kMiB);
  EXPECT_GE(last("osd.0", "pss_anon"), 64 * kMiB);
  EXPECT_EQ(lines("osd.0", "anon_huge_pages").size(), lines("osd.0", "pss_anon").size());
  EXPECT_EQ(last("osd.0", "threads"), 1u);
  EXPECT_GE(last("osd.0", "cpu"), lines("osd.0", "cpu")[0].value);
  EXPECT_GT(account.looks, 0u);
  EXPECT_EQ(account.missed.at("osd.0"), 0u);
  // A line of rss a look and one at the end; a close look at both ends.
  EXPECT_EQ(lines("osd.0", "rss").size(), account.looks + 1);
  EXPECT_EQ(lines("osd.0", "pss_anon").size(), 2u);
  EXPECT_EQ(account.samples.at("osd.0"), account.looks + 3);
  EXPECT_EQ(account.lines_lost, 0u);
  EXPECT_GT(account.cpu_s, 0);
  EXPECT_TRUE(account.complaints.empty()) << account.complaints[0];
  EXPECT_EQ(sampler_->stop().looks, account.looks) << "stopped already";
}

TEST_F(SamplerTest, APeakBelongsToItsPhase) {
  MemoryChild child;
  child.hold(256 * kMiB);  // of before
  child.hold(0);
  begin({subject("osd.0", child)});
  child.hold(64 * kMiB);
  child.hold(0);
  sampler_->enter("second");
  child.hold(16 * kMiB);
  child.hold(0);
  sampler_->enter("third");
  sampler_->stop();
  const uint64_t base = last("osd.0", "rss");
  EXPECT_NEAR(static_cast<double>(most("osd.0", "peak_rss", "first") - base), 64.0 * kMiB,
              4.0 * kMiB);
  EXPECT_NEAR(static_cast<double>(most("osd.0", "peak_rss", "second") - base), 16.0 * kMiB,
              4.0 * kMiB);
  EXPECT_LT(most("osd.0", "peak_rss", "third"), base + 4 * kMiB);
  EXPECT_EQ(lines("osd.0", "pss_anon", "first").size(), 2u) << "at its begin and end";
  EXPECT_EQ(lines("osd.0", "pss_anon", "second").size(), 1u);
}

TEST_F(SamplerTest, OneThatDiesIsMissedAndItsSuccessorFollowed) {
  std::mutex mutex;
  auto child = std::make_unique<MemoryChild>();
  child->hold(64 * kMiB);
  begin({{"osd.0",
          [&]() -> std::optional<ProcessId> {
            const std::lock_guard lock(mutex);
            if (!child) return {};
            return child->process();
          }},
         myself("osd.1")});
  ASSERT_TRUE(within([&] { return !lines("osd.0", "rss").empty(); }));
  const size_t of_first = [&] {
    const std::lock_guard lock(mutex);
    child.reset();
    return lines("osd.0", "rss").size();
  }();
  const size_t then = lines("osd.1", "rss").size();
  ASSERT_TRUE(within([&] { return lines("osd.1", "rss").size() >= then + 20; }));
  EXPECT_LE(lines("osd.0", "rss").size(), of_first + 1) << "nothing is invented";
  {
    const std::lock_guard lock(mutex);
    child = std::make_unique<MemoryChild>();
  }
  ASSERT_TRUE(within([&] { return lines("osd.0", "rss").size() >= of_first + 5; }));
  EXPECT_LT(last("osd.0", "rss_anon"), 60 * kMiB) << "this one holds nothing";
  EXPECT_LT(last("osd.0", "peak_rss"), lines("osd.0", "peak_rss")[0].value);
  const Account account = sampler_->stop();
  EXPECT_GE(account.missed.at("osd.0"), 20u);
  EXPECT_EQ(account.missed.at("osd.1"), 0u);
  // Each turn was a sample or a miss.
  EXPECT_EQ(account.samples.at("osd.0") + account.missed.at("osd.0"), account.samples.at("osd.1"));
}

TEST_F(SamplerTest, AnIdentityOfThePastIsMissed) {
  ProcessId stale = *identify(getpid());
  --stale.start_ticks;
  begin({{"osd.0", [stale] { return std::optional(stale); }}, myself("osd.1")});
  ASSERT_TRUE(within([&] { return lines("osd.1", "rss").size() >= 5; }));
  EXPECT_GE(sampler_->stop().missed.at("osd.0"), 5u);
  EXPECT_TRUE(lines("osd.0", "rss").empty());
}

TEST_F(SamplerTest, AFindThatFailsIsToldOnce) {
  begin({{"osd.0", []() -> std::optional<ProcessId> { throw environment_error("no manager"); }},
         myself("osd.1")});
  // Two searches, which are a second apart.
  ASSERT_TRUE(within([&] {
    const std::vector<Line> found = lines("osd.1", "rss");
    return !found.empty() && found.back().time_s > 1.2;
  }));
  EXPECT_EQ(sampler_->stop().complaints, std::vector<std::string>{"osd.0: no manager"});
}

TEST_F(SamplerTest, AStepOfTheWallClockMovesNoLook) {
  std::atomic<int> asked = 0;
  settings_.wall = [&] {
    const TimePoint now(std::chrono::hours(1000) + milliseconds(++asked));
    return asked < 10 ? now : now - std::chrono::hours(24);
  };
  begin({myself("osd.0")});
  ASSERT_TRUE(within([&] { return lines("osd.0", "rss").size() >= 30; }));
  const Account account = sampler_->stop();
  const std::vector<Line> found = lines("osd.0", "rss");
  for (size_t i = 1; i < found.size(); ++i) EXPECT_GE(found[i].time_s, found[i - 1].time_s);
  // A day's step back or forth would make thousands of turns.
  EXPECT_NEAR(static_cast<double>(account.looks + account.looks_missed),
              1 + found.back().time_s / 0.020, 3);
  const std::string text = read_file(file());
  EXPECT_NE(text.find(",1970-02-11T16:00:00."), std::string::npos) << text.substr(0, 200);
  EXPECT_NE(text.find(",1970-02-10T16:00:00."), std::string::npos);
}

TEST_F(SamplerTest, AStuckDaemonDelaysNoLook) {
  const fs::path stuck = dir_.path() / "stuck";
  const fs::path well = dir_.path() / "well";
  const auto answer = [](const std::string& command) -> std::string {
    if (command.find("dump_mempools") == std::string::npos) return "{}";
    return R"({"mempool":{"by_pool":{},"total":{"bytes":9}}})";
  };
  AnsweringSocket silent(stuck, answer, AnsweringSocket::Begin::stopped);
  AnsweringSocket answering(well, answer);
  Subject one = myself("osd.0");
  one.admin_socket = stuck;
  Subject other = myself("osd.1");
  other.admin_socket = well;
  begin({one, other});
  ASSERT_TRUE(within([&] { return lines("osd.1", "mempool").size() >= 5; }));
  const Account account = sampler_->stop();
  EXPECT_TRUE(lines("osd.0", "mempool").empty());
  EXPECT_GE(account.missed.at("osd.0"), 5u);
  EXPECT_GE(lines("osd.0", "rss").size(), 20u);
  EXPECT_LE(account.looks_missed, account.looks / 4) << "only a busy machine may delay them";
}

// Processes elsewhere, which take their time.
class SlowSource : public Source {
 public:
  explicit SlowSource(milliseconds takes) : takes_(takes) {}
  void begin() override {}
  void look(std::vector<std::optional<Reading>>& readings) override {
    usleep(static_cast<useconds_t>(takes_.count() * 1000));
    readings = {Reading{.rss_bytes = 5}};
  }
  void turn_phase(std::vector<std::optional<Reading>>& readings) override {
    readings = {Reading{.rss_bytes = 6, .peak_rss_bytes = 7}};
  }
  void look_closely(const Told& told) override { told(0, {}); }
  double end() override { return 1000; }

 private:
  milliseconds takes_;
};

TEST_F(SamplerTest, ALateSamplerSkipsTurnsAndCountsThem) {
  begin({{"osd.0"}}, std::make_unique<SlowSource>(milliseconds(50)));
  ASSERT_TRUE(within([&] { return lines("osd.0", "rss").size() >= 5; }));
  const Account account = sampler_->stop();
  EXPECT_GE(account.looks_missed, account.looks) << "two turns pass while it looks";
  EXPECT_EQ(last("osd.0", "rss"), 6u);
  EXPECT_EQ(lines("osd.0", "peak_rss").size(), 1u) << "a look that tells no peak invents none";
  EXPECT_EQ(account.missed.at("osd.0"), 2u) << "the close looks";
  EXPECT_GE(account.cpu_s, 1000);
}

TEST_F(SamplerTest, AThousandDaemonsAreKeptUpWith) {
  settings_.period = milliseconds(500);
  std::vector<std::unique_ptr<MemoryChild>> children;
  for (int i = 0; i < 4; ++i) children.push_back(std::make_unique<MemoryChild>());
  std::vector<Subject> subjects;
  for (size_t i = 0; i < 1000; ++i)
    subjects.push_back(subject("osd." + std::to_string(i), *children[i % children.size()]));
  begin(subjects);
  ASSERT_TRUE(within([&] { return lines("osd.999", "rss").size() >= 4; }));
  const Account account = sampler_->stop();
  EXPECT_LE(account.looks_missed, 1u);
  for (const auto& [name, missed] : account.missed) EXPECT_EQ(missed, 0u) << name;
  EXPECT_EQ(account.samples.size(), 1000u);
}

TEST_F(SamplerTest, AFileThatIsThereAlreadyIsNotTouched) {
  write_file_atomically(file(), "precious");
  EXPECT_THROW(begin({myself("osd.0")}), Error);
  EXPECT_EQ(read_file(file()), "precious");
}

}  // namespace
}  // namespace lab::sampling
