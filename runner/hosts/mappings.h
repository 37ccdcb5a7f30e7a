// What a process has mapped where: /proc/PID/maps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/file.h"

namespace lab::hosts {

// One line about a file.
struct Mapping {
  uint64_t begin = 0;   // address
  uint64_t end = 0;     // first address behind it
  uint64_t offset = 0;  // of the file, that is mapped at `begin`
  fs::path path;        // as the process sees it
  bool deleted = false;

  bool operator==(const Mapping&) const = default;
};

// In the order of the addresses. Lines without a file ([heap], anonymous memory) and
// lines of another form are passed over.
std::vector<Mapping> parse_mappings(std::string_view maps);

}  // namespace lab::hosts
