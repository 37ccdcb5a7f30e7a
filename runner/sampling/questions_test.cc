#include "runner/sampling/questions.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <map>
#include <mutex>

#include "runner/base/temporary_directory.h"
#include "tests/answering_socket.h"

namespace lab::sampling {
namespace {

using std::chrono::milliseconds;

constexpr const char* kMempools =
    R"({"mempool":{"by_pool":{"osd":{"items":1,"bytes":7}},"total":{"items":1,"bytes":7}}})";

std::string daemon_answer(const std::string& command) {
  if (command.find("dump_mempools") != std::string::npos) return kMempools;
  if (command.find("perf dump") != std::string::npos)
    return R"({"prioritycache":{"heap_bytes":3}})";
  if (command.find("heap") != std::string::npos)
    return "MALLOC:  5 (  0.0 MiB) Bytes in use by application\n";
  return "unknown command";
}

class QuestionsTest : public ::testing::Test {
 protected:
  void begin(const std::vector<Asked>& daemons, milliseconds patience = milliseconds(2000)) {
    asked_ = std::make_unique<Questions>(
        daemons, Questions::Timing{milliseconds(100), patience},
        [this](size_t daemon, const std::vector<Figure>& figures) {
          const std::lock_guard lock(mutex_);
          for (const Figure& figure : figures) ++answers_[{daemon, figure.metric}];
        },
        [this](size_t daemon, uint64_t questions) {
          const std::lock_guard lock(mutex_);
          missed_[daemon] += questions;
        },
        complaints_);
  }
  uint64_t answers(size_t daemon, const std::string& metric) {
    const std::lock_guard lock(mutex_);
    return answers_[{daemon, metric}];
  }
  uint64_t missed(size_t daemon) {
    const std::lock_guard lock(mutex_);
    return missed_[daemon];
  }
  static bool within(const std::function<bool()>& condition) {
    for (int i = 0; i < 500; ++i) {
      if (condition()) return true;
      usleep(20'000);
    }
    return false;
  }
  fs::path path(const std::string& name) const { return dir_.path() / name; }

  TemporaryDirectory dir_;
  std::mutex mutex_;
  std::map<std::pair<size_t, std::string>, uint64_t> answers_;
  std::map<size_t, uint64_t> missed_;
  Complaints complaints_;
  std::unique_ptr<Questions> asked_;
};

TEST_F(QuestionsTest, AskAgainAndAgain) {
  AnsweringSocket daemon(path("a"), daemon_answer);
  begin({{"osd.0", path("a"), ""}});
  asked_->begin();
  EXPECT_TRUE(within([&] { return answers(0, "mempool") >= 2 && answers(0, "cache_heap") >= 2; }));
  EXPECT_EQ(answers(0, "heap_used"), 0u) << "its malloc is no tcmalloc";
  asked_->set_tcmalloc(0, true);
  EXPECT_TRUE(within([&] { return answers(0, "heap_used") >= 1; }));
  EXPECT_GT(asked_->end(), 0);
  EXPECT_TRUE(complaints_.all().empty()) << complaints_.all()[0];
}

TEST_F(QuestionsTest, HeapStatsThatAreNoneAreAskedForOnce) {
  std::atomic<int> heaps = 0;
  AnsweringSocket daemon(path("a"), [&](const std::string& command) {
    if (command.find("heap") == std::string::npos) return daemon_answer(command);
    ++heaps;
    return std::string("not using tcmalloc");
  });
  begin({{"osd.0", path("a"), ""}});
  asked_->set_tcmalloc(0, true);
  asked_->begin();
  EXPECT_TRUE(within([&] { return answers(0, "mempool") >= 4; }));
  asked_->end();
  EXPECT_EQ(heaps, 1);
  EXPECT_GE(missed(0), 1u);
}

TEST_F(QuestionsTest, AStuckDaemonMissesItsOwnOnly) {
  AnsweringSocket stuck(path("stuck"), daemon_answer, AnsweringSocket::Begin::stopped);
  AnsweringSocket daemon(path("a"), daemon_answer);
  begin({{"osd.0", path("stuck"), ""}, {"osd.1", path("a"), ""}}, milliseconds(50));
  asked_->begin();
  EXPECT_TRUE(within([&] { return missed(0) >= 6 && answers(1, "mempool") >= 3; }));
  EXPECT_EQ(answers(0, "mempool"), 0u);
  ASSERT_FALSE(complaints_.all().empty());
  EXPECT_EQ(complaints_.all()[0], "osd.0: " + path("stuck").string() + ": no answer within 50 ms");

  stuck.go_on();
  EXPECT_TRUE(within([&] { return answers(0, "mempool") >= 1; }));
  asked_->end();
  // The one that waited for it, and those that were answered since.
  EXPECT_LE(stuck.asked(), 1 + 2 * answers(0, "mempool") + 2) << "no queue was left for it";
}

TEST_F(QuestionsTest, ManyStuckOnesDelayOthersByTheirPatienceOnly) {
  std::vector<std::unique_ptr<AnsweringSocket>> stuck;
  std::vector<Asked> daemons;
  for (int i = 0; i < 100; ++i) {
    const fs::path socket = path(std::to_string(i));
    stuck.push_back(
        std::make_unique<AnsweringSocket>(socket, daemon_answer, AnsweringSocket::Begin::stopped));
    daemons.push_back({"osd." + std::to_string(i), socket, ""});
  }
  AnsweringSocket daemon(path("a"), daemon_answer);
  daemons.push_back({"osd.100", path("a"), ""});
  begin(daemons, milliseconds(50));
  asked_->begin();
  EXPECT_TRUE(within([&] { return answers(100, "mempool") >= 5; }));
  asked_->end();
}

TEST_F(QuestionsTest, OneThatIsNotThereIsMissedUntilItIs) {
  begin({{"osd.0", path("a"), ""}});
  asked_->begin();
  EXPECT_TRUE(within([&] { return missed(0) >= 4; }));
  EXPECT_NE(complaints_.all().at(0).find("cannot connect: No such file"), std::string::npos);
  AnsweringSocket daemon(path("a"), daemon_answer);
  EXPECT_TRUE(within([&] { return answers(0, "mempool") >= 1; }));
  asked_->end();
}

TEST_F(QuestionsTest, AnAnswerThatIsNoneIsMissed) {
  AnsweringSocket daemon(path("a"), [](const std::string&) { return std::string("rubbish"); });
  begin({{"osd.0", path("a"), ""}});
  asked_->begin();
  EXPECT_TRUE(within([&] { return missed(0) >= 2; }));
  asked_->end();
  EXPECT_NE(complaints_.all().at(0).find("the answer is none: rubbish"), std::string::npos);
}

TEST_F(QuestionsTest, ReadAMetricsEndpoint) {
  AnsweringPort endpoint(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      "26\r\nprocess_resident_memory_bytes 1.5e+03\n\r\n0\r\n\r\n");
  begin({{"redis", "", endpoint.url()},
         {"none", "", "ftp://x"},
         {"gone", "", "http://127.0.0.1:1/"}});
  asked_->begin();
  EXPECT_TRUE(
      within([&] { return answers(0, "metrics_rss") >= 2 && missed(1) >= 2 && missed(2) >= 2; }));
  asked_->end();
  EXPECT_TRUE(endpoint.last_request().starts_with("GET /metrics HTTP/1.1\r\n"))
      << endpoint.last_request();
}

}  // namespace
}  // namespace lab::sampling
