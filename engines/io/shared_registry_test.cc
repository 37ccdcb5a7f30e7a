#include "engines/io/shared_registry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace lab::io {
namespace {

std::atomic<int> alive{0};
std::atomic<int> most_alive{0};
std::atomic<int> made{0};

struct Thing {
  Thing() {
    ++made;
    int now = ++alive;
    int most = most_alive.load();
    while (now > most && !most_alive.compare_exchange_weak(most, now)) {
    }
  }
  ~Thing() { --alive; }
};

using Registry = SharedRegistry<Thing>;

std::unique_ptr<Thing> make_thing() { return std::make_unique<Thing>(); }

TEST(SharedRegistry, SharesByKeyAndDestroysWithTheLast) {
  Registry registry;
  made = 0;
  {
    Registry::Lease a = registry.take("x", make_thing);
    Registry::Lease b = registry.take("x", make_thing);
    Registry::Lease c = registry.take("y", make_thing);
    EXPECT_EQ(&*a, &*b);
    EXPECT_NE(&*a, &*c);
    EXPECT_EQ(alive, 2);
    a = {};
    EXPECT_EQ(alive, 2);
  }
  EXPECT_EQ(alive, 0);
  Registry::Lease again = registry.take("x", make_thing);
  EXPECT_EQ(made, 3);
}

TEST(SharedRegistry, AFailureIsNotRemembered) {
  Registry registry;
  auto fail = []() -> std::unique_ptr<Thing> { throw std::runtime_error("no"); };
  EXPECT_THROW(registry.take("x", fail), std::runtime_error);
  EXPECT_TRUE(registry.take("x", make_thing));
  EXPECT_EQ(alive, 0);
}

TEST(SharedRegistry, NeverTwoOfOneKeyAtOnce) {
  Registry registry;
  most_alive = 0;
  {
    std::vector<std::jthread> jobs;
    for (int i = 0; i < 4; ++i)
      jobs.emplace_back([&] {
        for (int round = 0; round < 2000; ++round) registry.take("x", make_thing);
      });
  }
  EXPECT_EQ(most_alive, 1);
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace lab::io
