// What a sandbox knows of itself, on disk before and after every step, so that
// whoever comes next can find and end what was started. It is also the mark by which
// `down` knows that a directory is a sandbox.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/base/json.h"
#include "runner/base/process.h"
#include "runner/hosts/cpu_affinity.h"
#include "runner/sandbox/layout.h"
#include "runner/sandbox/options.h"
#include "runner/sandbox/ports.h"

namespace lab::sandbox {

enum class Phase { starting, running, stopping };

struct Daemon {
  std::string name;               // "mon.a", "mgr.a", "osd.0", "rgw.a"
  std::vector<std::string> argv;  // how it is started
  Environment environment;        // added to lab's own
  ProcessId process;              // pid 0: not started, or stopped on purpose
  uint16_t port = 0;              // that it listens on, or the first of its range
  bool wanted = true;             // false: stopped on purpose (a failure test)
  hosts::Cpus cpus;               // that it was started on; empty: not yet started
};

// The S3 user that `up` makes. The secret stands only here, in a file of mode 0600.
struct S3User {
  std::string endpoint;  // "http://127.0.0.1:PORT"
  std::string user;
  std::string access_key;
  std::string secret_key;
};

struct State {
  Phase phase = Phase::starting;
  std::string token;               // in the environment of every process of this sandbox
  bool created_directory = false;  // then `down` removes it too
  std::string fsid;
  std::string created;  // ISO 8601, UTC
  double up_seconds = 0;
  Options options;
  Ports ports;
  std::optional<S3User> s3;
  std::vector<Daemon> daemons;  // in the order of their start

  Daemon* daemon(const std::string& name);
  const Daemon* daemon(const std::string& name) const;
};

OrderedJson to_json(const State& state, const Layout& layout);
// Throws lab::Error (Exit::environment) if it is no state of a sandbox at this place.
State state_from_json(const OrderedJson& json, const Layout& layout);

void save(const State& state, const Layout& layout);
// None if the directory has no state file. Throws as state_from_json.
std::optional<State> load(const Layout& layout);

}  // namespace lab::sandbox
