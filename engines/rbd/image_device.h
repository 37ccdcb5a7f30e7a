// An RBD image as a device of one job: any number of I/Os in flight, completed by
// librbd's threads into the job's own queue.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "engines/io/completion_queue.h"
#include "engines/io/counters.h"
#include "engines/io/device.h"
#include "engines/rbd/open_image.h"
#include "engines/rbd/record.h"

namespace lab::rbd {

class ImageDevice : public io::Device {
 public:
  // Opens (or joins) the image, proves its cache mode and writes the open record.
  // Throws lab::Error; see OpenImage.
  explicit ImageDevice(Options options);
  // Closes if that was not done, and forgets errors of it.
  ~ImageDevice() override;
  ImageDevice(const ImageDevice&) = delete;
  ImageDevice& operator=(const ImageDevice&) = delete;

  uint64_t size_bytes() const override { return image_->state().size_bytes; }
  int submit(io::Io& io) override;
  size_t reap(std::span<io::Io*> done, size_t min, std::chrono::nanoseconds timeout) override;

  // Waits for what is in flight, flushes (timed), writes the close record and lets go
  // of the image. Throws lab::Error if the flush or the record failed; the image is
  // let go all the same.
  void close();

  // Writes back and forgets what librbd has cached of the image; what other jobs have
  // in flight may stay. Throws lab::Error.
  void drop_cache();

  const ImageState& state() const { return image_->state(); }
  const JobCounts& counts() const { return counts_; }

 private:
  // An I/O on its way. Reused, so that no I/O allocates here.
  struct Slot : io::CompletionNode {
    io::CompletionQueue* queue = nullptr;
    io::Io* io = nullptr;
    int64_t result = 0;  // librbd's: bytes read, 0, or a negative errno
  };

  static void completed(rbd_completion_t completion, void* slot);
  Slot& take_slot();
  int start(const io::Io& io, rbd_completion_t completion);
  void finish(Slot& slot);
  void publish();

  Options options_;
  OpenImage::Lease image_;
  std::unique_ptr<io::CounterFile> counter_file_;
  io::CounterSlot* counter_slot_ = nullptr;
  JobCounts counts_;
  io::CompletionQueue queue_;
  std::deque<Slot> slots_;  // never moves its elements
  std::vector<Slot*> free_slots_;
  std::vector<io::CompletionNode*> taken_;
  size_t in_flight_ = 0;
};

}  // namespace lab::rbd
