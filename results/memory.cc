#include "results/memory.h"

namespace lab::results {
namespace {

constexpr std::string_view kHeader = "time_s,wall,phase,daemon,metric,bytes";

}  // namespace

bool MemorySamples::next(MemorySample& sample) {
  while (lines_.next()) {
    if (lines_.number() == 1) {
      if (lines_.line() != kHeader) damaged_.add(1);
      continue;
    }
    CsvFields<6> fields;
    if (split_line(lines_.line(), fields) && time_of(fields[0], sample.time_s) &&
        number_of(fields[5], sample.bytes)) {
      sample.phase = fields[2];
      sample.daemon = fields[3];
      sample.metric = fields[4];
      return true;
    }
    damaged_.add(lines_.number());
  }
  return false;
}

}  // namespace lab::results
