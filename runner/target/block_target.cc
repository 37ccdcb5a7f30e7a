#include "runner/target/block_target.h"

#include <algorithm>

#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"
#include "runner/plan/rewrite.h"
#include "runner/target/prefill_fio.h"

namespace lab {
namespace {

// The level's I/O engine if it names one, else the job's if it is one for devices.
std::string engine_of(const JobFile& job) {
  const std::string engine = job.value(0, "ioengine").value_or("libaio");
  return engine == "io_uring" ? engine : "libaio";
}

}  // namespace

void BlockTarget::claim(const JobFile& job) {
  claim_.emplace(claim_block_device(device_, destroy_));
  // Says now what arrange() would say after the fill.
  JobFile scaled = job;
  scale_sizes(scaled, claim_->size_bytes);
  filled_bytes_ = span_bytes_ > 0 ? std::min(span_bytes_, claim_->size_bytes) : claim_->size_bytes;
}

void BlockTarget::prepare(const PrepareProgress& progress) {
  const TemporaryDirectory scratch;
  const std::string what =
      fmt::format("filling {} ({}) with incompressible data", device_, format_bytes(filled_bytes_));
  FillPlace place;
  place.device = claim_->device;
  place.size_bytes = filled_bytes_;
  fill_with_fio(place, scratch.path(), [&](double done) { progress(what, done); });
  prove_filled(claim_->device, filled_bytes_);
}

results::TextList BlockTarget::conditions() {
  return {{"device", fmt::format("{}, {}, the first {} written before", device_,
                                 format_bytes(claim_->size_bytes), format_bytes(filled_bytes_))}};
}

FioInput BlockTarget::arrange(JobFile job, const Cell& /*cell*/, const fs::path& /*run*/) {
  std::vector<JobOption> options = {
      {"ioengine", engine_of(job)}, {"filename", claim_->device}, {"direct", "1"}};
  // Without a size the job spans the device, all of which was written.
  // A job written for a larger one runs on all that there is.
  scale_sizes(job, claim_->size_bytes);
  retarget(job, "block", options);
  return {std::move(job), {}, true};
}

}  // namespace lab
