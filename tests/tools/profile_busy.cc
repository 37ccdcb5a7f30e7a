// A program of which a profile must show what it was told: SHARE of its processor time is in
// few(), the rest in recursive(), for SECONDS.
//   profile-busy SHARE SECONDS
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

double used_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

volatile unsigned counter = 0;

}  // namespace

// Not in the anonymous namespace, and never inlined: profiles show their names.
[[gnu::noinline]] void few(double until_s) {
  while (used_s() < until_s)
    for (int i = 0; i < 20000; ++i) counter = counter + 1;
}

[[gnu::noinline]] void recursive(int depth, double until_s) {
  if (depth > 0) recursive(depth - 1, until_s);
  while (used_s() < until_s)
    for (int i = 0; i < 20000; ++i) counter = counter ^ 1;
  // Something after the call, so that it isn't made a jump.
  counter = counter + 1;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: profile-busy SHARE SECONDS\n");
    return 2;
  }
  const double share = std::atof(argv[1]);
  const double seconds = std::atof(argv[2]);
  constexpr double kTurn = 0.02;
  while (used_s() < seconds) {
    const double begin = used_s();
    few(begin + share * kTurn);
    recursive(3, begin + kTurn);
  }
  return 0;
}
