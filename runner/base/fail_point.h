// Places where the tests kill lab, to prove that what it changed can be put back from there.
//
// LAB_FAIL_LOG=FILE appends the name of every point that is passed, a line each: that is how
// the tests know how many there are. LAB_FAIL_AT=N ends the process with SIGKILL at the N-th.
// Without these variables a point does nothing.
#pragma once

#include <string_view>

namespace lab {

void fail_point(std::string_view name);

}  // namespace lab
