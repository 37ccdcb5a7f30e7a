// The sampler on the sandbox's daemons, one of which stops for a while. LAB_SAMPLER_SECONDS: how
// long each of the three phases takes (7).
#include "runner/sampling/sampler.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "results/samples.h"
#include "runner/base/temporary_directory.h"
#include "runner/daemons/sandbox_driver.h"
#include "runner/hosts/process_memory.h"
#include "tests/ceph/shared_sandbox.h"

namespace lab::sampling {
namespace {

int phase_seconds() {
  const char* text = getenv("LAB_SAMPLER_SECONDS");
  return text ? std::max(7, atoi(text)) : 7;
}

void sleep_for_a_phase() { std::this_thread::sleep_for(std::chrono::seconds(phase_seconds())); }

// A process after SIGSTOP, which goes on at the end of the scope.
class Stopped {
 public:
  explicit Stopped(pid_t pid) : pid_(pid) { kill(pid_, SIGSTOP); }
  ~Stopped() { kill(pid_, SIGCONT); }
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;

 private:
  pid_t pid_;
};

struct Seen {
  std::map<std::string, int> rss_lines;  // by phase and daemon
  std::map<std::string, int> mempool_lines;
  std::map<std::string, uint64_t> last_rss;
  std::map<std::string, int> metrics;
};

Seen read_back(const fs::path& directory) {
  Seen seen;
  results::Samples samples(directory);
  for (results::Sample sample; samples.next(sample);) {
    const std::string daemon(sample.daemon);
    const std::string key = fmt::format("{} {}", sample.phase, daemon);
    ++seen.metrics[fmt::format("{} {}", daemon.substr(0, 3), sample.metric)];
    if (sample.metric == "mempool") ++seen.mempool_lines[key];
    if (sample.metric != "rss") continue;
    ++seen.rss_lines[key];
    seen.last_rss[key] = sample.value;
  }
  EXPECT_EQ(samples.damaged().count, 0u);
  return seen;
}

TEST(SamplerOnASandbox, FollowsAllDaemonsWhileOneIsStopped) {
  sandbox::Sandbox sandbox = shared_sandbox();
  daemons::SandboxDriver driver(sandbox);
  const TemporaryDirectory directory;
  Sampler sampler(subjects_of(driver), directory.path() / results::kSamplesFile);
  std::map<std::string, uint64_t> by_hand;
  sampler.start("before");
  const auto begin = std::chrono::steady_clock::now();
  sleep_for_a_phase();
  sampler.enter("stopped");
  {
    const Stopped osd(driver.process("osd.0")->pid);
    sleep_for_a_phase();
    for (const std::string& name : driver.daemons())
      by_hand["stopped " + name] = hosts::read_memory_status(driver.process(name)->pid)->rss_bytes;
    sampler.enter("after");
  }
  sleep_for_a_phase();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const Account account = sampler.stop();
  const Seen seen = read_back(directory.path());

  EXPECT_LE(account.looks_missed, 1u);
  EXPECT_NEAR(static_cast<double>(account.looks + account.looks_missed), took.count(), 2);
  for (const auto& [key, rss] : by_hand) {
    EXPECT_NEAR(static_cast<double>(seen.last_rss.at(key)), static_cast<double>(rss),
                0.05 * static_cast<double>(rss))
        << key;
    EXPECT_GE(seen.rss_lines.at(key), phase_seconds() - 1) << key << ": /proc answers";
  }
  EXPECT_GE(account.missed.at("osd.0"), 1u) << "it could not answer";
  EXPECT_EQ(account.missed.at("osd.1"), 0u);
  EXPECT_EQ(account.missed.at("mon.a"), 0u);
  EXPECT_FALSE(seen.mempool_lines.contains("stopped osd.0"));
  EXPECT_GE(seen.mempool_lines.at("stopped osd.1"), 1);
  EXPECT_GE(seen.mempool_lines.at("after osd.0"), 1) << "it answers again";

  for (const auto& [metric, count] : seen.metrics) fmt::print("{}: {} lines\n", metric, count);
  for (const auto& [key, rss] : by_hand)
    fmt::print("{}: rss sampled {}, by hand {}\n", key, seen.last_rss.at(key), rss);
  for (const auto& [name, missed] : account.missed)
    fmt::print("{}: {} samples, {} missed\n", name, account.samples.at(name), missed);
  for (const std::string& complaint : account.complaints) fmt::print("{}\n", complaint);
  fmt::print("{} looks, {} missed, {:.4f} s CPU\n", account.looks, account.looks_missed,
             account.cpu_s);
}

}  // namespace
}  // namespace lab::sampling
