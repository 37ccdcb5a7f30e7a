#include "engines/io/completion_queue.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <ctime>

namespace lab::io {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr int kWantShift = 32;

uint32_t available(uint64_t state) { return static_cast<uint32_t>(state); }
uint32_t wanted(uint64_t state) { return static_cast<uint32_t>(state >> kWantShift); }

// The futex is the half that every push changes.
uint32_t* futex_word(std::atomic<uint64_t>& state) {
  static_assert(sizeof state == sizeof(uint64_t));
  auto* halves = reinterpret_cast<uint32_t*>(&state);
  return std::endian::native == std::endian::little ? halves : halves + 1;
}

void futex_wait(uint32_t* word, uint32_t expected, const timespec* timeout) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timeout, nullptr, 0);
}

// Only the address matters to the kernel: safe even if the queue is gone by now.
void futex_wake(uint32_t* word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

void CompletionQueue::push(CompletionNode* node) {
  uint32_t* word = futex_word(state_);
  CompletionNode* head = pushed_.load(std::memory_order_relaxed);
  do node->next = head;
  while (!pushed_.compare_exchange_weak(head, node, std::memory_order_release,
                                        std::memory_order_relaxed));
  uint64_t before = state_.fetch_add(1, std::memory_order_acq_rel);
  if (wanted(before) != 0 && available(before) + 1 == wanted(before)) futex_wake(word);
}

uint32_t CompletionQueue::wait_for(uint32_t min, nanoseconds timeout) {
  uint32_t count = available(state_.load(std::memory_order_acquire));
  if (count >= min || timeout == nanoseconds::zero()) return count;

  bool for_ever = timeout < nanoseconds::zero();
  Clock::time_point deadline = for_ever ? Clock::time_point::max() : Clock::now() + timeout;
  uint64_t want = uint64_t{min} << kWantShift;
  count = available(state_.fetch_add(want, std::memory_order_acq_rel));
  while (count < min) {
    timespec left{};
    if (!for_ever) {
      nanoseconds rest = deadline - Clock::now();
      if (rest <= nanoseconds::zero()) break;
      left.tv_sec = static_cast<time_t>(rest.count() / 1'000'000'000);
      left.tv_nsec = static_cast<long>(rest.count() % 1'000'000'000);
    }
    // Returns at once if a push has changed the count since it was read.
    futex_wait(futex_word(state_), count, for_ever ? nullptr : &left);
    count = available(state_.load(std::memory_order_acquire));
  }
  return available(state_.fetch_sub(want, std::memory_order_acq_rel));
}

CompletionNode* CompletionQueue::pop() {
  if (!ready_) {
    CompletionNode* newest = pushed_.exchange(nullptr, std::memory_order_acquire);
    while (newest) {  // turn it round
      CompletionNode* next = newest->next;
      newest->next = ready_;
      ready_ = newest;
      newest = next;
    }
  }
  CompletionNode* oldest = ready_;
  ready_ = oldest->next;
  return oldest;
}

size_t CompletionQueue::take(std::span<CompletionNode*> out, size_t min, nanoseconds timeout) {
  uint32_t count = wait_for(static_cast<uint32_t>(std::min(min, out.size())), timeout);
  // Every counted node is linked already, since linking comes first in push.
  auto n = static_cast<uint32_t>(std::min<size_t>(count, out.size()));
  for (uint32_t i = 0; i < n; ++i) out[i] = pop();
  if (n > 0) state_.fetch_sub(n, std::memory_order_acq_rel);
  return n;
}

}  // namespace lab::io
