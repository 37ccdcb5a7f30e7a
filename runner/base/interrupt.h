// Ctrl-C, SIGTERM and SIGHUP as a flag that long waits look at: what was begun is
// then taken back by ordinary destructors and catch blocks, not in a signal handler.
#pragma once

#include <chrono>

namespace lab {

// Installs the handlers; before it, the signals end the process as usual.
void catch_interrupts();

// A signal has come since catch_interrupts (or since forget_interrupts).
bool interrupted();
void forget_interrupts();

// Throws lab::Error (Exit::interrupted) if a signal has come.
void check_interrupt();

// As long as one lives, signals are remembered but end nothing: what is being put back is put back
// whole.
class HoldInterrupts {
 public:
  HoldInterrupts();
  ~HoldInterrupts();
  HoldInterrupts(const HoldInterrupts&) = delete;
  HoldInterrupts& operator=(const HoldInterrupts&) = delete;
};

// Sleeps, unless a signal ends the sleep early; then throws like check_interrupt.
void interruptible_sleep(std::chrono::milliseconds time);

}  // namespace lab
