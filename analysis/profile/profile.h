// What profiles say of a process: which part of its samples, or of its bytes, is where.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lab::analysis::profile {

// A function, as its profiler names it.
struct Place {
  double inclusive = 0;  // in stacks that hold it, each counted once however often it recurs
  double self = 0;       // in stacks whose innermost frame it is
};

// Figures are in the profile's unit.
struct Process {
  double total = 0;
  double in_focus = 0;    // in stacks that hold a frame of the focus; without one all
  double unresolved = 0;  // innermost frame without a name; also what has no stack at all
  size_t processes = 0;   // that had this name; 0: not told
  bool named_by_file = false;
  std::map<std::string, Place> places;  // of the stacks in focus

  void add(const Process& other);
};

struct Profile {
  // "samples", "bytes", or what else was counted: "objects", "seconds", "counts" (not told).
  std::string unit;
  // False: the file had sums of each function, by names that its tool had shortened.
  bool stacks = true;
  std::map<std::string, Process> processes;
  std::vector<std::string> notes;  // what must be known of it, as sentences without full stop
};

// The name of what has no stack, and the beginning of what has no name.
constexpr std::string_view kNoStack = "[no stack]";
constexpr std::string_view kUnknown = "[unknown]";

// A frame as a function's name: without what depends on the build alone, the address and the
// mark of inlining that jeprof appends ("f(int)<00000000000013fe>", "f(int)[inline]").
std::string_view frame_name(std::string_view frame);

// Has the frame no name? "", "[unknown]…", a bare address, or a library's "[libc.so.6]".
bool is_unresolved(std::string_view name);

}  // namespace lab::analysis::profile
