#include "runner/target/nbd_target.h"

#include <algorithm>

#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"
#include "runner/plan/rewrite.h"
#include "runner/target/prefill_fio.h"

namespace lab {

void NbdTarget::claim(const JobFile& job) {
  size_bytes_ = nbd_size_bytes(uri_);
  // An export tells nothing of who else uses it or what is on it, so it has to be named.
  if (std::find(destroy_.begin(), destroy_.end(), uri_) == destroy_.end())
    throw usage_error(
        "{}: the content of the export would be lost; if that may be, say "
        "--destroy-data-on='{}'",
        uri_, uri_);
  // Says now what arrange() would say after the fill.
  JobFile scaled = job;
  scale_sizes(scaled, size_bytes_);
  filled_bytes_ = span_bytes_ > 0 ? std::min(span_bytes_, size_bytes_) : size_bytes_;
}

void NbdTarget::prepare(const PrepareProgress& progress) {
  const TemporaryDirectory scratch;
  const std::string what =
      fmt::format("filling the export ({}) with incompressible data", format_bytes(filled_bytes_));
  FillPlace place;
  place.nbd_uri = uri_;
  place.size_bytes = filled_bytes_;
  fill_with_fio(place, scratch.path(), [&](double done) { progress(what, done); });
}

results::TextList NbdTarget::conditions() {
  return {{"NBD export", fmt::format("{}, {}, the first {} written before", uri_,
                                     format_bytes(size_bytes_), format_bytes(filled_bytes_))}};
}

FioInput NbdTarget::arrange(JobFile job, const Cell& /*cell*/, const fs::path& /*run*/) {
  // A job written for a larger one runs on all that there is.
  scale_sizes(job, size_bytes_);
  retarget(job, "nbd", {{"ioengine", "nbd"}, {"uri", uri_}});
  return {std::move(job), {}, true};
}

}  // namespace lab
