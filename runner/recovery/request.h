// What `lab recovery` is asked beside the job, the matrix and the cluster.
#pragma once

#include <optional>
#include <string>

#include "runner/base/json.h"

namespace lab::recovery {

enum class Method {
  stop,     // the OSD is killed, and marked out after a while
  out,      // the OSD is marked out and drained; it goes on running
  rebuild,  // the OSD is killed and its store destroyed; after a while it comes back empty
  host,     // as stop, for all OSDs of one host of the CRUSH map
};
std::string to_text(Method method);

struct Request {
  Method method = Method::stop;
  std::optional<int> osd;  // none: the last one that is up and in
  std::string host;        // of method host; empty: that of the last OSD
  bool load = true;        // does the job run meanwhile?
  // Lengths of the phases in seconds. The recovery takes as long as it takes, at most `limit_s`.
  double baseline_s = 30;
  double failure_s = 10;  // from the failure to what makes the recovery begin
  double clean_s = 30;
  double cool_down_s = 30;
  double limit_s = 3600;
};

// Throws lab::Error (Exit::usage) naming the methods that there are.
Method method_of(const std::string& text);

OrderedJson to_json(const Request& request);
// Throws lab::Error (Exit::usage) with file and line.
Request request_from_json(JsonObject object);

}  // namespace lab::recovery
