// Which package a file of this host belongs to.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runner/base/file.h"

namespace lab::hosts {

struct Package {
  std::string name;
  std::string version;
};

// The package's name in the answer of `dpkg-query -S`: "libc6:amd64" of
// "libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6"; empty if there is none.
std::string parse_dpkg_owner(std::string_view answer);

// Asks dpkg or rpm, whichever is there; none if neither knows the file.
std::optional<Package> package_of(const fs::path& file);

// Remembers answers: asking the package database takes long, and daemons are alike.
class Packages {
 public:
  const std::optional<Package>& of(const fs::path& file);

 private:
  std::map<fs::path, std::optional<Package>> known_;
};

}  // namespace lab::hosts
