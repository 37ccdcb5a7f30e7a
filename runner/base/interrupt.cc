#include "runner/base/interrupt.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "runner/base/error.h"

namespace lab {
namespace {

std::atomic<int> last_signal{0};
std::atomic<int> holds{0};
static_assert(std::atomic<int>::is_always_lock_free, "set in a signal handler");

void remember(int signal) { last_signal = signal; }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  // A reader that goes away is a failed write, after which things are put back as ever.
  signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return last_signal != 0 && holds == 0; }

void forget_interrupts() { last_signal = 0; }

HoldInterrupts::HoldInterrupts() { ++holds; }
HoldInterrupts::~HoldInterrupts() { --holds; }

void check_interrupt() {
  if (int signal = last_signal; signal != 0 && holds == 0)
    throw Error(Exit::interrupted, fmt::format("interrupted by signal {}", signal));
}

void interruptible_sleep(std::chrono::milliseconds time) {
  // Short steps rather than one long sleep: the signal may be taken by another thread.
  auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    check_interrupt();
    std::chrono::nanoseconds left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0) return;
    std::this_thread::sleep_for(
        std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds(50)));
  }
}

}  // namespace lab
