// The daemons of a cluster as something that can be started anew with another environment or
// program: a sandbox's own processes, or a service manager's units.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/base/json.h"
#include "runner/base/process.h"
#include "runner/daemons/environment_file.h"

namespace lab::daemons {

// All functions throw lab::Error: Exit::usage for a daemon that there isn't, Exit::environment
// for what went wrong.
class Driver {
 public:
  virtual ~Driver() = default;

  // Names as Ceph has them: "mon.a", "mgr.a", "osd.0", "rgw.a".
  virtual std::vector<std::string> daemons() = 0;

  // What the daemon is started with the next time, beyond what its kind always gets.
  virtual Environment environment(const std::string& daemon) = 0;
  // No value takes the variable away. Acts at the next start; on disk when it returns.
  virtual void set_variable(const std::string& daemon, const std::string& variable,
                            const std::optional<std::string>& value) = 0;
  // The program that is started as this daemon: a path, or a name to be looked for in PATH.
  virtual std::string program(const std::string& daemon) = 0;
  virtual void set_program(const std::string& daemon, const std::string& program) = 0;

  // Throws if the daemon doesn't run, or if a start would bring in more than what is set here: what
  // others have changed of it since it was started.
  virtual void check_settled(const std::string& daemon) = 0;

  // Ends it and starts it; returns when it does its work again. Placement groups may still be
  // peering then.
  virtual void restart(const std::string& daemon) = 0;
  // Ends it and leaves it so: at once and without a word to the cluster (SIGKILL) where lab has it
  // in its hand, else as its service manager stops it.
  virtual void stop(const std::string& daemon) = 0;
  // Starts it again as it is set here, and returns as restart() does. Does nothing if it runs.
  virtual void start(const std::string& daemon) = 0;

  // Does lab know how the stores of OSDs are made?
  virtual bool makes_stores() const = 0;
  // The store of an OSD, which can be destroyed while the OSD is stopped, as if its disk had been
  // replaced, and made again, empty. Neither does anything twice. Throw (Exit::usage) where lab
  // does not make stores.
  virtual bool has_store(const std::string& daemon) = 0;
  virtual void destroy_store(const std::string& daemon) = 0;
  virtual void make_store(const std::string& daemon) = 0;

  // None if it doesn't run.
  virtual std::optional<ProcessId> process(const std::string& daemon) = 0;

  virtual fs::path admin_socket(const std::string& daemon) = 0;
  // What it has written to stderr since its last start, at most the last megabyte.
  virtual std::string error_output(const std::string& daemon) = 0;

  // By which open_driver finds the same daemons again.
  virtual OrderedJson address() = 0;
};

// At most the last megabyte of a daemon's output.
std::string last_output(std::string text);

// The file that a driver's program means: a path as it is, a name looked for in PATH.
fs::path program_path(const std::string& program);

// Throws lab::Error (Exit::environment) if they are not there any more, or not on this host.
std::unique_ptr<Driver> open_driver(const OrderedJson& address);

}  // namespace lab::daemons
