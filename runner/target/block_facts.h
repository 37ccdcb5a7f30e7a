// What there is to know about a block device before anybody writes on it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/file.h"

namespace lab {

struct BlockFacts {
  std::string path;    // as the user gave it
  std::string device;  // the kernel's name for it, e.g. /dev/vdb; empty if it is no block device
  int open_error = 0;  // errno of opening it exclusively, 0 if that worked
  bool exists = false;
  bool read_only = false;
  uint64_t size_bytes = 0;
  // Who uses it or a partition of it, as parts of a sentence: "is mounted on /srv",
  // "vdb1 is swap space", "is held by dm-0 (vg-root)". Nothing overrides these.
  std::vector<std::string> uses;
  // What would be lost: "an xfs file system (label \"backup\")", "a gpt partition table
  // with partitions vdb1, vdb2", "data of unknown kind".
  std::vector<std::string> contents;
};

// Reads /proc, /sys and, through libblkid, the device. The exclusive descriptor, if it was
// to be had, is left in `exclusive`: as long as it is open, nobody can mount the device or
// give it to another user in the kernel. Throws lab::Error only for what no device explains
// (no /proc, for example).
BlockFacts read_block_facts(const std::string& path, Fd& exclusive);

// One line of /proc/PID/mountinfo; see proc(5).
struct MountLine {
  dev_t number = 0;
  std::string mount_point;
  std::string source;
};
std::vector<MountLine> parse_mountinfo(std::string_view text);

// The paths in the text of /proc/swaps.
std::vector<std::string> parse_swaps(std::string_view text);

}  // namespace lab
