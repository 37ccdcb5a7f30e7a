// Where a sandbox keeps what: every path below its directory, and the names of its daemons.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/base/file.h"

namespace lab::sandbox {

// ${LAB_SANDBOX_DIR}, or /var/tmp/lab-sandbox-UID.
fs::path default_directory();

struct Layout {
  fs::path dir;  // absolute

  fs::path conf() const { return dir / "ceph.conf"; }
  fs::path keyring() const { return dir / "keyring"; }
  fs::path state() const { return dir / "state.json"; }
  fs::path lock() const { return dir / "lock"; }
  fs::path users() const { return dir / "users"; }
  fs::path monmap() const { return dir / "monmap"; }
  fs::path run() const { return dir / "run"; }
  fs::path logs() const { return dir / "log"; }
  fs::path crash() const { return dir / "crash"; }
  fs::path data(const std::string& daemon) const { return dir / daemon; }
  fs::path block(int osd) const { return data("osd." + std::to_string(osd)) / "block"; }
  fs::path socket(const std::string& daemon) const { return run() / (daemon + ".asok"); }
  fs::path log(const std::string& daemon) const { return logs() / (daemon + ".log"); }
  fs::path error_output(const std::string& daemon) const { return logs() / (daemon + ".stderr"); }
};

// What is wrong with such a directory, if anything: a path that Ceph's configuration
// file can't express, or under which a unix socket's path would be too long.
std::optional<std::string> unfit_path(const Layout& layout, int osds);

// True for a directory entry that a sandbox makes, so that `down` may remove it.
bool is_sandbox_entry(const std::string& file_name);

// True if the entry may stand there before a sandbox is made: what an `up` leaves
// that was killed before it had written its state.
bool is_leftover_entry(const std::string& file_name);

}  // namespace lab::sandbox
