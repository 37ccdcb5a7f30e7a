#include "runner/target/nbd_target.h"

#include <algorithm>

#include "runner/base/error.h"

namespace lab {

void NbdTarget::claim(const JobFile& job) {
  const uint64_t size_bytes = nbd_size_bytes(uri_);
  // An export tells nothing of who else uses it or what is on it, so it has to be named.
  if (std::find(destroy().begin(), destroy().end(), uri_) == destroy().end())
    throw usage_error(
        "{}: the content of the export would be lost; if that may be, say "
        "--destroy-data-on='{}'",
        uri_, uri_);
  FillPlace place;
  place.nbd_uri = uri_;
  set_place(std::move(place), size_bytes, job);
}

std::vector<JobOption> NbdTarget::options(const JobFile& /*job*/) const {
  return {{"ioengine", "nbd"}, {"uri", uri_}};
}

}  // namespace lab
