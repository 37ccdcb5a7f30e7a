#include "runner/target/block_target.h"

namespace lab {

void BlockTarget::claim(const JobFile& job) {
  claim_.emplace(claim_block_device(device_, destroy()));
  FillPlace place;
  place.device = claim_->device;
  set_place(std::move(place), claim_->size_bytes, job);
}

void BlockTarget::prepare(const PrepareProgress& progress) {
  FilledTarget::prepare(progress);
  prove_filled(place().device, place().size_bytes);
}

std::vector<JobOption> BlockTarget::options(const JobFile& job) const {
  // The level's I/O engine if it names one, else the job's if it is one for devices.
  const std::string engine = job.value(0, "ioengine").value_or("libaio");
  return {{"ioengine", engine == "io_uring" ? engine : "libaio"},
          {"filename", place().device},
          {"direct", "1"}};
}

}  // namespace lab
