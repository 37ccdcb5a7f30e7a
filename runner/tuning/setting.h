// One change that a level makes, as a matrix file states it, and what the running
// process said of it afterwards.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "runner/base/json.h"

namespace lab {

// librbd's cache in the client. Stated as a mode, since each mode takes several
// options to be what it is called.
struct CacheMode {
  std::string mode;  // off, writethrough, writeback, writearound
};

// Ceph options of the client that does the I/O: `{"client": {"rbd_readahead_max_bytes": 0}}`.
struct ClientOptions {
  std::map<std::string, std::string> options;
};

// fio options that every section of the job gets: `{"job": {"iodepth": 32}}`.
struct JobOptions {
  std::map<std::string, std::string> options;
};

using Setting = std::variant<CacheMode, ClientOptions, JobOptions>;

// What a setting is called in plans and tables: `rbd cache writeback`, `client rbd_x=1`.
std::string describe(const Setting& setting);
OrderedJson to_json(const Setting& setting);

// Reads one object of a matrix. Throws lab::Error (Exit::usage) with file and line.
Setting parse_setting(const JsonDocument& document, const std::string& pointer);

}  // namespace lab
