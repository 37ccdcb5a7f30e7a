// The TCP ports of a sandbox: one block of neighbours on 127.0.0.1, so that two
// sandboxes can't mix, laid out by position within the block.
#pragma once

#include <cstdint>

#include "runner/base/file.h"

namespace lab::sandbox {

// Half-open is awkward for Ceph's options: both ends belong to the range.
struct PortRange {
  uint16_t first = 0;
  uint16_t last = 0;
};

struct Ports {
  uint16_t base = 0;

  uint16_t mon_v2() const { return base; }
  uint16_t mon_v1() const { return static_cast<uint16_t>(base + 1); }
  uint16_t rgw() const { return static_cast<uint16_t>(base + 2); }
  PortRange mgr() const {
    return {static_cast<uint16_t>(base + 8), static_cast<uint16_t>(base + 15)};
  }
  // An OSD listens on eight: public, cluster and two for heartbeats, each in both
  // protocols. Twice that, since a restarted one may find its old ones still in use.
  PortRange osd(int id) const {
    return {static_cast<uint16_t>(base + 16 + 16 * id), static_cast<uint16_t>(base + 31 + 16 * id)};
  }
  static int block_size(int osds) { return 16 + 16 * osds; }
};

// The bases that blocks may have below the kernel's ephemeral ports (whose first is
// `ephemeral_first`); empty (last < first) never happens: low ephemeral ranges are ignored.
PortRange possible_bases(int osds, int ephemeral_first);

// A free block, reserved against other sandboxes that are being started as long as
// this object lives. (The daemons then hold the ports themselves.)
class PortReservation {
 public:
  // Throws lab::Error (Exit::environment) if there is no free block.
  static PortReservation make(int osds);
  const Ports& ports() const { return ports_; }

 private:
  PortReservation(Ports ports, Fd guard) : ports_(ports), guard_(std::move(guard)) {}
  Ports ports_;
  Fd guard_;
};

// Whether a server could listen on this port of 127.0.0.1 now.
bool is_port_free(uint16_t port);

// Whether something accepts connections there.
bool is_port_open(uint16_t port);

}  // namespace lab::sandbox
