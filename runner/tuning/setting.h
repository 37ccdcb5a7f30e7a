// One change that a level makes, as a matrix file states it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
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

// Values of options or variables; none: not set there, whatever it was.
using OptionalValues = std::map<std::string, std::optional<std::string>>;

// Options in the monitors' configuration: `{"config": {"osd": {"debug_ms": "0/0"}}}`, with who
// they are for as `ceph config set` takes it; "rgw" and "rgw.a" are "client.rgw" and
// "client.rgw.a". Daemons are started anew for options that act at start only.
struct ConfigOptions {
  std::string who;
  OptionalValues options;
};
// Stands in such a value for the one that is in force before any change, in each daemon its own.
constexpr std::string_view kFoundValue = "{found}";
bool builds_on_found(const std::optional<std::string>& value);

// Variables in the environment of processes, which are started anew with them:
// `{"environment": {"osd": {"MALLOC_CONF": "narenas:4"}}}`. The scope is a kind of daemon ("osd",
// "rgw", "mon", "mgr"), one of them ("osd.0"), or "client": the process that does the I/O.
struct ProcessEnvironment {
  std::string scope;
  OptionalValues variables;
};

// The malloc of processes: `{"allocator": {"osd": "jemalloc"}}`; a name that allocator_names() has,
// or the path of a library.
struct AllocatorChoice {
  std::string scope;
  std::string allocator;
};
// "as-linked" (nothing is preloaded), "glibc", "tcmalloc", …
const std::vector<std::string>& allocator_names();

// The program that is started as a daemon: `{"program": {"osd": "/opt/ceph-a/bin/ceph-osd"}}`.
struct DaemonProgram {
  std::string scope;
  std::string program;
};

// Kernel parameters of this host: `{"sysctl": {"vm.swappiness": 1}}`.
struct KernelParameters {
  std::map<std::string, std::string> parameters;
};

using Setting = std::variant<CacheMode, ClientOptions, JobOptions, ConfigOptions,
                             ProcessEnvironment, AllocatorChoice, DaemonProgram, KernelParameters>;

// True if it is applied by starting daemons anew, whatever the cluster says of its options: then
// the restart, not the run, is what the setting is applied to once.
bool always_restarts(const Setting& setting);
// True if it changes something outside of the process that does the I/O.
bool changes_world(const Setting& setting);

// What a setting is called in plans and tables: `rbd cache writeback`, `client rbd_x=1`.
std::string describe(const Setting& setting);
OrderedJson to_json(const Setting& setting);

// Whom options are for, as the monitors store it: `class:ssd` is `global/class:ssd`, `rgw` is
// `client.rgw`, and a mask of a place in the CRUSH map stands before that of a device class.
std::string canonical_place(const std::string& who);

// Without what a later setting of the list sets otherwise: a level goes before what its factor
// holds.
std::vector<Setting> in_force(const std::vector<Setting>& settings);

// Reads one object of a matrix. Throws lab::Error (Exit::usage) with file and line.
Setting parse_setting(const JsonDocument& document, const std::string& pointer);

}  // namespace lab
