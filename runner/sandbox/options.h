// What a sandbox is asked to be.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "runner/base/file.h"

namespace lab::sandbox {

using Environment = std::map<std::string, std::string>;

struct Options {
  fs::path dir;  // empty: default_directory()
  int osds = 3;
  // In the CRUSH map: the OSDs are spread over so many, and with several of them a host, not an
  // OSD, is the failure domain. All of them are this machine.
  int hosts = 1;
  uint64_t osd_bytes = uint64_t{6} << 30;  // of each OSD's preallocated file
  bool rgw = true;
  Environment osd_environment;  // added to every OSD's, e.g. LD_PRELOAD
};

// Throws lab::Error (Exit::usage) naming the option that can't be.
void check(const Options& options);

// "KEY=VALUE" as the command line has it; throws lab::Error (Exit::usage).
std::pair<std::string, std::string> parse_environment(const std::string& text);

}  // namespace lab::sandbox
