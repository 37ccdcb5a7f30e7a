// Ceph's daemons as its packages run them on this host: units of systemd, one a daemon.
#pragma once

#include <string>
#include <vector>

#include "runner/daemons/driver.h"
#include "runner/daemons/drop_in.h"
#include "runner/daemons/unit.h"

namespace lab::daemons {

// "ceph-osd@0.service" for "osd.0", "ceph-radosgw@rgw.a.service" for "rgw.a".
std::string unit_of(const std::string& daemon);
// Empty if the unit is none of a Ceph daemon that lab has a name for.
std::string daemon_of(const std::string& unit);

// Environments and programs are set by drop-ins under /run/systemd/system: a file of lab's own for
// each unit, gone with the last change or with a reboot.
class SystemdDriver : public Driver {
 public:
  // The daemons that belong to the cluster with this fsid. Throws lab::Error (Exit::environment)
  // if this host was not booted with systemd.
  explicit SystemdDriver(std::string fsid);

  std::vector<std::string> daemons() override;
  Environment environment(const std::string& daemon) override;
  void set_variable(const std::string& daemon, const std::string& variable,
                    const std::optional<std::string>& value) override;
  std::string program(const std::string& daemon) override;
  void set_program(const std::string& daemon, const std::string& program) override;
  void check_settled(const std::string& daemon) override;
  void restart(const std::string& daemon) override;
  void stop(const std::string& daemon) override;
  void start(const std::string& daemon) override;
  bool makes_stores() const override { return false; }
  bool has_store(const std::string&) override { return true; }
  void destroy_store(const std::string& daemon) override;
  void make_store(const std::string& daemon) override;
  std::optional<ProcessId> process(const std::string& daemon) override;
  fs::path admin_socket(const std::string& daemon) override;
  std::string error_output(const std::string& daemon) override;
  OrderedJson address() override;
  static OrderedJson address_of(const std::string& fsid);

 private:
  // As the manager knows it, with lab's drop-in as the file is. Throws if systemd has no such unit.
  Unit unit(const std::string& daemon) const;
  DropIn drop_in(const std::string& daemon) const;
  void change(const std::string& daemon, const Addition& addition) const;
  // `verb`: of systemctl; returns when the daemon does its work.
  void bring_up(const std::string& daemon, const std::string& verb);
  bool belongs(const Unit& unit) const;
  bool works(const std::string& daemon, const Unit& unit) const;
  void check_as_started(const std::string& daemon, const Unit& unit);

  std::string fsid_;
  std::optional<std::vector<std::string>> daemons_;  // once asked for
};

}  // namespace lab::daemons
