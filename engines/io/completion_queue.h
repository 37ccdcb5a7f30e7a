// Completions on their way from a library's threads to the job that waits for them:
// many producers, one consumer, no lock, no allocation.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lab::io {

// What is queued derives from this; its owner keeps it alive until it is taken.
struct CompletionNode {
  CompletionNode* next = nullptr;
};

// Padded on purpose: producers and consumer write to cache lines of their own.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
class CompletionQueue {
 public:
  CompletionQueue() = default;
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  // From any thread. Once the consumer has taken as many nodes as were pushed, no
  // producer touches the queue any more: it may be destroyed then.
  void push(CompletionNode* node);

  // By the one consumer: waits until `min` nodes (at most out.size()) are there or
  // `timeout` has passed (negative: for ever), then takes all that fit, in the order
  // of their completion. Returns how many.
  size_t take(std::span<CompletionNode*> out, size_t min, std::chrono::nanoseconds timeout);

 private:
  uint32_t wait_for(uint32_t min, std::chrono::nanoseconds timeout);
  CompletionNode* pop();

  // Low half: nodes pushed and not taken. High half: how many the sleeping consumer
  // wants, 0 while it is awake. One word, so that a producer's last access is the
  // addition, and so that exactly the producer that fills the want wakes the consumer.
  std::atomic<uint64_t> state_{0};
  alignas(64) std::atomic<CompletionNode*> pushed_{nullptr};  // newest first
  alignas(64) CompletionNode* ready_ = nullptr;               // the consumer's, oldest first
};

}  // namespace lab::io
