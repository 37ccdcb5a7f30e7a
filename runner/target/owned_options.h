// The fio options that a target sets itself, by which it points the job at its data.
#pragma once

#include <set>
#include <string>

namespace lab {

// A level can't vary these: it would be overwritten, and measure nothing. Main names. Pure.
std::set<std::string> owned_options(const std::string& target);

}  // namespace lab
