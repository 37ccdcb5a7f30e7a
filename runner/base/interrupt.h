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

// Sleeps, unless a signal ends the sleep early; then throws like check_interrupt.
void interruptible_sleep(std::chrono::milliseconds time);

}  // namespace lab
