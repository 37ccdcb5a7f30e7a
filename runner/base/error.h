// How lab fails: an Error carries a text for people and the exit status.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace lab {

// Exit statuses of every subcommand; see README.md, "Exit status".
enum class Exit {
  ok = 0,
  no_go = 1,
  usage = 2,        // bad command line, job, matrix or inventory: nothing was changed
  environment = 3,  // cluster, host or tool unfit
  not_valid = 4,    // measured, but something makes the figures untrustworthy
  not_restored = 5,
  interrupted = 130,
};

// The text says what was wrong, where, and what to do about it.
class Error : public std::runtime_error {
 public:
  Error(Exit status, const std::string& text) : std::runtime_error(text), status_(status) {}
  Exit status() const { return status_; }

 private:
  Exit status_;
};

template <typename... Args>
Error usage_error(fmt::format_string<Args...> format, Args&&... args) {
  return {Exit::usage, fmt::format(format, std::forward<Args>(args)...)};
}

template <typename... Args>
Error environment_error(fmt::format_string<Args...> format, Args&&... args) {
  return {Exit::environment, fmt::format(format, std::forward<Args>(args)...)};
}

}  // namespace lab
