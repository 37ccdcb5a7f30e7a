// Whether lab may write on a block device. Measuring writes destroys what is there, so the
// answer is no unless the device is unused and empty, or unused and named by the user.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/target/block_facts.h"

namespace lab {

// The reason against writing, with what to do about it; none if there is none. `destroy` is
// what --destroy-data-on named: it has to name the device as the user named it, or by the
// kernel's name, and it outweighs content only. A device that is in use is never written on.
std::optional<std::string> objection_to_writing(const BlockFacts& facts,
                                                const std::vector<std::string>& destroy);

// A device that lab may write on. While this object lives, the kernel lets nobody mount it,
// use it as swap or build a volume on it; fio can still open it.
struct BlockClaim {
  std::string path;    // as the user gave it
  std::string device;  // the kernel's name
  uint64_t size_bytes = 0;
  std::vector<std::string> contents;  // that the user allowed to be lost
  Fd exclusive;
};

// Claims first and looks then, so that what was seen stays true. Throws lab::Error
// (Exit::usage) with the objection.
BlockClaim claim_block_device(const std::string& path, const std::vector<std::string>& destroy);

}  // namespace lab
