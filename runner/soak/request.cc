#include "runner/soak/request.h"

#include <algorithm>
#include <cmath>

namespace lab::soak {

unsigned segments(const Request& request) {
  return std::max(1u, static_cast<unsigned>(std::ceil(request.hours * 3600 / request.segment_s)));
}

OrderedJson to_json(const Request& r) { return {{"hours", r.hours}, {"segment_s", r.segment_s}}; }

Request request_from_json(JsonObject o) { return {o.real("hours"), o.real("segment_s")}; }

}  // namespace lab::soak
