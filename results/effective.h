// effective.jsonl: what the processes that did the I/O say of themselves, a line when a
// job has opened its image and a line after its last I/O.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/base/file.h"
#include "runner/base/json.h"

namespace lab::results {

struct EffectiveOpen {
  std::string engine;
  std::string job;  // fio's section name
  int subjob = 0;
  std::string image;
  uint64_t size_bytes = 0;
  std::string ceph_version;
  std::string cache_asked;
  std::string cache_effective;
  std::string cache_objects;
};

struct EffectiveClose {
  std::string engine;
  std::string job;
  int subjob = 0;
  double flush_s = 0;  // of the last flush: dirty data that the run left behind
  uint64_t reads = 0, writes = 0, trims = 0, syncs = 0;
  uint64_t errors = 0;
  uint64_t zero_reads = 0;
};

struct Effective {
  std::vector<EffectiveOpen> opens;
  std::vector<EffectiveClose> closes;
  bool truncated = false;  // the last line was cut off: its writer was killed
};

// Throws lab::Error (Exit::usage) naming file and line for a broken line that is not
// the last one. Events and keys that this version does not know are left alone.
Effective parse_effective(std::string_view text, const std::string& name);

// The lines of a .jsonl file. A last line without its newline is left out and reported.
std::vector<OrderedJson> parse_json_lines(std::string_view text, const std::string& name,
                                          bool* truncated);

}  // namespace lab::results
