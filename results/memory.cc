#include "results/memory.h"

namespace lab::results {

bool MemorySamples::next(MemorySample& sample) {
  while (lines_.next()) {
    if (lines_.number() == 1) continue;  // the header
    CsvFields<6> fields;
    if (split_line(lines_.line(), fields) && number_of(fields[0], sample.time_s) &&
        number_of(fields[5], sample.bytes)) {
      sample.phase = fields[2];
      sample.daemon = fields[3];
      sample.metric = fields[4];
      return true;
    }
    if (damaged_++ == 0) first_damaged_line_ = lines_.number();
  }
  return false;
}

}  // namespace lab::results
