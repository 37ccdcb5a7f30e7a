// What stdout is: decides the width and the colours of tables.
#pragma once

#include <cstddef>

namespace lab::cli {

// Columns of the terminal on stdout; 0 if it is none.
size_t stdout_width();

// A terminal, and NO_COLOR (https://no-color.org) is not set.
bool stdout_colours();

}  // namespace lab::cli
