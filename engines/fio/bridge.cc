#include "engines/fio/bridge.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "engines/fio/bridge_impl.h"

namespace lab::fio {

void copy_error(const char* text, char error[LAB_ERROR_BYTES]) {
  size_t length = std::min<size_t>(strlen(text), LAB_ERROR_BYTES - 1);
  memcpy(error, text, length);
  error[length] = '\0';
}

}  // namespace lab::fio

using lab::io::Io;
using lab::io::Op;

static_assert(static_cast<int>(Op::read) == LAB_READ);
static_assert(static_cast<int>(Op::write) == LAB_WRITE);
static_assert(static_cast<int>(Op::trim) == LAB_TRIM);
static_assert(static_cast<int>(Op::sync) == LAB_SYNC);

lab_io* lab_io_new(void* user) {
  auto* io = new (std::nothrow) lab_io;
  if (io) io->io.user = user;
  return io;
}

void lab_io_free(lab_io* io) { delete io; }

int lab_submit(lab_device* device, lab_io* io, lab_op op, uint64_t offset, uint64_t bytes,
               void* buffer) {
  io->io.op = static_cast<Op>(op);
  io->io.offset = offset;
  io->io.bytes = bytes;
  io->io.buffer = buffer;
  try {
    return device->device->submit(io->io);
  } catch (const std::exception&) {
    return ENOMEM;  // nothing else is thrown on this path
  }
}

unsigned lab_reap(lab_device* device, lab_completion* done, unsigned min, unsigned max,
                  int64_t timeout_ns) {
  std::vector<Io*>& ios = device->done;
  if (ios.size() < max) ios.resize(max);
  size_t n =
      device->device->reap(std::span(ios).first(max), min, std::chrono::nanoseconds(timeout_ns));
  for (size_t i = 0; i < n; ++i) done[i] = {ios[i]->user, ios[i]->error, ios[i]->residual};
  return static_cast<unsigned>(n);
}

int lab_close(lab_device* device, char error[LAB_ERROR_BYTES]) {
  std::unique_ptr<lab_device> owned(device);
  return lab::fio::guarded(error, [&] { owned->close(); });
}
