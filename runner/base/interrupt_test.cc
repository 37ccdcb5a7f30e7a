#include "runner/base/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "runner/base/error.h"

namespace lab {
namespace {

using std::chrono::milliseconds;

TEST(Interrupt, ASignalEndsALongSleepWithAnError) {
  catch_interrupts();
  forget_interrupts();
  EXPECT_NO_THROW(check_interrupt());
  auto start = std::chrono::steady_clock::now();
  std::thread sender([] {
    std::this_thread::sleep_for(milliseconds(100));
    raise(SIGTERM);
  });
  try {
    interruptible_sleep(std::chrono::seconds(30));
    ADD_FAILURE() << "slept on";
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::interrupted);
  }
  sender.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_TRUE(interrupted());
  forget_interrupts();
  EXPECT_FALSE(interrupted());
}

TEST(Interrupt, SleepsItsTimeWithoutASignal) {
  forget_interrupts();
  auto start = std::chrono::steady_clock::now();
  interruptible_sleep(milliseconds(60));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(60));
}

}  // namespace
}  // namespace lab
