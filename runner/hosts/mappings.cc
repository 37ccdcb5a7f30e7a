#include "runner/hosts/mappings.h"

#include <cinttypes>
#include <cstdio>

#include "runner/base/text.h"

namespace lab::hosts {

std::vector<Mapping> parse_mappings(std::string_view maps) {
  constexpr std::string_view deleted = " (deleted)";
  std::vector<Mapping> found;
  for (const std::string& line : split(maps, '\n')) {
    // address perms offset dev inode path: the path is the rest from the first slash.
    const size_t slash = line.find('/');
    Mapping mapping;
    if (slash == std::string::npos || sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64,
                                             &mapping.begin, &mapping.end, &mapping.offset) != 3)
      continue;
    std::string path = line.substr(slash);
    if (path.ends_with(deleted)) {
      mapping.deleted = true;
      path.resize(path.size() - deleted.size());
    }
    mapping.path = path;
    found.push_back(std::move(mapping));
  }
  return found;
}

}  // namespace lab::hosts
