#include "engines/rbd/image_device.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "engines/io/zero_sample.h"
#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab::rbd {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

RecordStamp stamp_now() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return {.pid = static_cast<int>(getpid()), .time_s = std::chrono::duration<double>(now).count()};
}

void append_record(const Options& options, const std::string& record) {
  if (!options.effective.empty()) append_line(options.effective, record);
}

}  // namespace

ImageDevice::ImageDevice(Options options)
    : options_(std::move(options)), image_(OpenImage::share(options_)) {
  if (!options_.counters.empty()) {
    std::string error;
    counter_file_ = io::CounterFile::open(options_.counters, &error);
    if (!counter_file_) throw environment_error("counters={}", error);
    counter_slot_ = counter_file_->take_slot();
  }
  append_record(options_, open_record(options_, image_->state(), stamp_now()));
}

ImageDevice::~ImageDevice() {
  try {
    close();
  } catch (const std::exception&) {
    // Whoever wants to know calls close().
  }
}

ImageDevice::Slot& ImageDevice::take_slot() {
  if (free_slots_.empty()) {
    Slot& slot = slots_.emplace_back();
    slot.queue = &queue_;
    // Room for all of them: giving back never allocates.
    free_slots_.reserve(slots_.size());
    return slot;
  }
  Slot& slot = *free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

int ImageDevice::start(const io::Io& io, rbd_completion_t completion) {
  rbd_image_t image = image_->handle();
  switch (io.op) {
    case io::Op::read:
      return rbd_aio_read(image, io.offset, io.bytes, static_cast<char*>(io.buffer), completion);
    case io::Op::write:
      return rbd_aio_write(image, io.offset, io.bytes, static_cast<const char*>(io.buffer),
                           completion);
    case io::Op::trim:
      return rbd_aio_discard(image, io.offset, io.bytes, completion);
    case io::Op::sync:
      return rbd_aio_flush(image, completion);
  }
  return -EINVAL;
}

int ImageDevice::submit(io::Io& io) {
  Slot& slot = take_slot();
  slot.io = &io;
  rbd_completion_t completion = nullptr;
  int r = rbd_aio_create_completion(&slot, &ImageDevice::completed, &completion);
  if (r >= 0) {
    r = start(io, completion);
    if (r < 0) rbd_aio_release(completion);
  }
  if (r < 0) {
    free_slots_.push_back(&slot);
    ++counts_.errors;
    publish();
    return -r;
  }
  ++in_flight_;
  return 0;
}

// On a thread of librbd.
void ImageDevice::completed(rbd_completion_t completion, void* arg) {
  auto* slot = static_cast<Slot*>(arg);
  slot->result = rbd_aio_get_return_value(completion);
  rbd_aio_release(completion);
  slot->queue->push(slot);
}

size_t ImageDevice::reap(std::span<io::Io*> done, size_t min, nanoseconds timeout) {
  if (taken_.size() < done.size()) taken_.resize(done.size());
  size_t n = queue_.take(std::span(taken_).first(done.size()), std::min(min, in_flight_), timeout);
  for (size_t i = 0; i < n; ++i) {
    auto& slot = *static_cast<Slot*>(taken_[i]);
    done[i] = slot.io;
    finish(slot);
  }
  in_flight_ -= n;
  if (n > 0) publish();
  return n;
}

void ImageDevice::finish(Slot& slot) {
  io::Io& io = *slot.io;
  free_slots_.push_back(&slot);
  if (slot.result < 0) {
    io.error = static_cast<int>(-slot.result);
    io.residual = io.bytes;
    ++counts_.errors;
    return;
  }
  io.error = 0;
  io.residual = 0;
  switch (io.op) {
    case io::Op::read: {
      uint64_t got = std::min<uint64_t>(static_cast<uint64_t>(slot.result), io.bytes);
      io.residual = io.bytes - got;
      ++counts_.reads;
      counts_.read_bytes += got;
      if (io::samples_are_zero(io.buffer, got)) ++counts_.zero_reads;
      break;
    }
    case io::Op::write:
      ++counts_.writes;
      counts_.write_bytes += io.bytes;
      break;
    case io::Op::trim:
      ++counts_.trims;
      break;
    case io::Op::sync:
      ++counts_.syncs;
      break;
  }
}

void ImageDevice::publish() {
  if (!counter_slot_) return;
  auto store = [](std::atomic<uint64_t>& to, uint64_t value) {
    to.store(value, std::memory_order_relaxed);
  };
  store(counter_slot_->reads, counts_.reads);
  store(counter_slot_->writes, counts_.writes);
  store(counter_slot_->read_bytes, counts_.read_bytes);
  store(counter_slot_->write_bytes, counts_.write_bytes);
  store(counter_slot_->trims, counts_.trims);
  store(counter_slot_->syncs, counts_.syncs);
  store(counter_slot_->errors, counts_.errors);
  store(counter_slot_->zero_reads, counts_.zero_reads);
}

void ImageDevice::drop_cache() {
  int r = rbd_flush(image_->handle());
  if (r >= 0) r = rbd_invalidate_cache(image_->handle());
  // Busy: another job that shares the image has written meanwhile.
  if (r < 0 && r != -EBUSY)
    throw environment_error("image {}: cannot drop its cache: {}", image_spec(options_), reason(r));
}

void ImageDevice::close() {
  if (!image_) return;
  std::vector<io::Io*> rest(in_flight_);
  while (in_flight_ > 0) ImageDevice::reap(rest, in_flight_, nanoseconds(-1));

  auto start = Clock::now();
  int r = rbd_flush(image_->handle());
  double flush_s = std::chrono::duration<double>(Clock::now() - start).count();
  if (r < 0) {
    ++counts_.errors;
    publish();
  }
  image_ = {};
  append_record(options_, close_record(options_, counts_, flush_s, stamp_now()));
  if (r < 0)
    throw environment_error("image {}: the last flush failed, so written data may be lost: {}",
                            image_spec(options_), reason(r));
}

}  // namespace lab::rbd
