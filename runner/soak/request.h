// What `lab soak` is asked beside the job, the matrix and the cluster.
#pragma once

#include "runner/base/json.h"

namespace lab::soak {

struct Request {
  double hours = 1;        // of load, for each cell
  double segment_s = 300;  // of one run of the job: the load is cut into such, one after the other
};

// How many segments a cell gets.
unsigned segments(const Request& request);

OrderedJson to_json(const Request& request);
// Throws lab::Error (Exit::usage) with file and line.
Request request_from_json(JsonObject object);

}  // namespace lab::soak
