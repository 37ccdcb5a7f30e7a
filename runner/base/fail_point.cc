#include "runner/base/fail_point.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "runner/base/file.h"

namespace lab {

void fail_point(std::string_view name) {
  static const char* const log = std::getenv("LAB_FAIL_LOG");
  static const char* const at = std::getenv("LAB_FAIL_AT");
  static long passed = 0;
  if (log) append_line(log, name);
  if (at && ++passed == std::atol(at)) kill(getpid(), SIGKILL);
}

}  // namespace lab
