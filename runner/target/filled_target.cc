#include "runner/target/filled_target.h"

#include <algorithm>

#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"
#include "runner/plan/rewrite.h"

namespace lab {
namespace {

const std::string& address(const FillPlace& place) {
  return place.device.empty() ? place.nbd_uri : place.device;
}

}  // namespace

void FilledTarget::set_place(FillPlace place, uint64_t size_bytes, const JobFile& job) {
  JobFile scaled = job;
  scale_sizes(scaled, size_bytes);
  place_ = std::move(place);
  size_bytes_ = size_bytes;
  place_.size_bytes = span_bytes_ > 0 ? std::min(span_bytes_, size_bytes) : size_bytes;
}

void FilledTarget::prepare(const PrepareProgress& progress) {
  const TemporaryDirectory scratch;
  const std::string what = fmt::format("filling {} ({}) with incompressible data", address(place_),
                                       format_bytes(place_.size_bytes));
  fill_with_fio(place_, scratch.path(), [&](double done) { progress(what, done); });
}

results::TextList FilledTarget::conditions() {
  return {{kind_, fmt::format("{}, {}, the first {} written before", address(place_),
                              format_bytes(size_bytes_), format_bytes(place_.size_bytes))}};
}

FioInput FilledTarget::arrange(JobFile job, const Cell& /*cell*/, const fs::path& /*run*/) {
  // A job written for a larger one runs on all that there is.
  scale_sizes(job, size_bytes_);
  const std::vector<JobOption> own = options(job);
  retarget(job, kind_, own);
  return {std::move(job), {}, true};
}

}  // namespace lab
