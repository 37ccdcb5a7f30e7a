// Knobs of this host: kernel parameters.
#pragma once

#include "runner/tuning/knob.h"

namespace lab {

class HostBoard : public KnobBoard {
 public:
  explicit HostBoard(fs::path root = "/proc/sys") : root_(std::move(root)) {}
  bool has(KnobKind kind) const override { return kind == KnobKind::sysctl; }
  KnobValue read(const Knob& knob) override;
  void set(const Knob& knob, const KnobValue& value) override;

 private:
  fs::path root_;
};

// Why a parameter could not be put back; none if it can.
std::optional<std::string> sysctl_mistake(const std::string& name);

// "vm/swappiness" of "vm.swappiness"; throws lab::Error (Exit::usage) for what is no name of a
// parameter. Of "net.ipv4.conf.eth0/1.rp_filter" too, as sysctl writes a dot in a name.
std::string sysctl_path(const std::string& name);

}  // namespace lab
