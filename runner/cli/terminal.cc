#include "runner/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace lab::cli {

size_t stdout_width() {
  winsize size{};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

bool stdout_colours() {
  const char* no_color = getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (!no_color || *no_color == 0);
}

}  // namespace lab::cli
