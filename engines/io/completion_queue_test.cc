#include "engines/io/completion_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <thread>
#include <vector>

namespace lab::io {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

constexpr nanoseconds kForEver{-1};

struct Node : CompletionNode {
  int producer = 0;
  int number = 0;
};

TEST(CompletionQueue, TakesInOrderAndAtMostWhatFits) {
  CompletionQueue queue;
  std::array<Node, 5> nodes;
  for (Node& node : nodes) queue.push(&node);
  std::array<CompletionNode*, 3> out{};
  ASSERT_EQ(queue.take(out, 1, kForEver), 3u);
  EXPECT_EQ(out[0], &nodes[0]);
  EXPECT_EQ(out[2], &nodes[2]);
  ASSERT_EQ(queue.take(out, 3, milliseconds(1)), 2u);
  EXPECT_EQ(out[1], &nodes[4]);
}

TEST(CompletionQueue, WithoutAMinimumItNeverWaits) {
  CompletionQueue queue;
  std::array<CompletionNode*, 3> out{};
  EXPECT_EQ(queue.take(out, 0, kForEver), 0u);
  EXPECT_EQ(queue.take(out, 3, nanoseconds(0)), 0u);
  EXPECT_EQ(queue.take({}, 3, kForEver), 0u);
}

TEST(CompletionQueue, GivesUpAfterTheTimeoutWithWhatIsThere) {
  CompletionQueue queue;
  Node node;
  queue.push(&node);
  std::array<CompletionNode*, 3> out{};
  auto start = Clock::now();
  EXPECT_EQ(queue.take(out, 2, milliseconds(30)), 1u);
  EXPECT_GE(Clock::now() - start, milliseconds(30));
  // The want of the wait that failed is forgotten: a later wait works.
  std::jthread late([&] {
    std::this_thread::sleep_for(milliseconds(20));
    queue.push(&node);
  });
  EXPECT_EQ(queue.take(out, 1, kForEver), 1u);
}

TEST(CompletionQueue, WaitsForTheMinimum) {
  CompletionQueue queue;
  std::array<Node, 4> nodes;
  std::jthread producer([&] {
    for (Node& node : nodes) {
      std::this_thread::sleep_for(milliseconds(5));
      queue.push(&node);
    }
  });
  std::array<CompletionNode*, 8> out{};
  EXPECT_EQ(queue.take(out, 4, kForEver), 4u);
}

// Every node arrives once, each producer's in its order, and no wake-up is lost (the
// test would hang).
TEST(CompletionQueue, ManyProducersLoseNothing) {
  constexpr int kProducers = 4;
  constexpr int kEach = 50000;
  CompletionQueue queue;
  std::vector<std::vector<Node>> nodes(kProducers, std::vector<Node>(kEach));
  std::vector<std::jthread> producers;
  for (int p = 0; p < kProducers; ++p)
    producers.emplace_back([&, p] {
      for (int i = 0; i < kEach; ++i) {
        nodes[p][i].producer = p;
        nodes[p][i].number = i;
        queue.push(&nodes[p][i]);
        if (i % 64 == 0) std::this_thread::yield();
      }
    });
  std::array<int, kProducers> next{};
  std::array<CompletionNode*, 16> out{};
  size_t left = size_t{kProducers} * kEach;
  while (left > 0) {
    size_t n = queue.take(out, std::min<size_t>(left, 1 + left % 16), kForEver);
    for (size_t i = 0; i < n; ++i) {
      auto* node = static_cast<Node*>(out[i]);
      ASSERT_EQ(node->number, next[node->producer]++);
    }
    left -= n;
  }
  EXPECT_EQ(queue.take(out, 1, nanoseconds(0)), 0u);
}

// As a job does at its end: takes the last completion and is gone, while the producer
// may still be inside push.
TEST(CompletionQueue, MayDieAsSoonAsAllIsTaken) {
  for (int round = 0; round < 3000; ++round) {
    auto queue = std::make_unique<CompletionQueue>();
    Node node;
    std::jthread producer([q = queue.get(), &node] { q->push(&node); });
    std::array<CompletionNode*, 1> out{};
    ASSERT_EQ(queue->take(out, 1, kForEver), 1u);
    queue.reset();
  }
}

}  // namespace
}  // namespace lab::io
