// Whatever fio.json holds, it is read or refused with its name and line, and what was read
// has histograms in order, which the figures of a run are then made of.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analysis/fio_json.h"
#include "analysis/measurement.h"
#include "results/example.h"
#include "runner/base/error.h"

namespace {

using namespace lab;
using namespace lab::analysis;

void check(bool holds) {
  if (!holds) abort();
}

void check_histogram(const Histogram& histogram) {
  uint64_t total = 0;
  for (size_t i = 0; i < histogram.bins().size(); ++i) {
    total += histogram.bins()[i].count;
    check(histogram.bins()[i].count > 0);
    check(i == 0 || histogram.bins()[i - 1].value_ns < histogram.bins()[i].value_ns);
  }
  check(total == histogram.total());
  uint64_t last = 0;
  for (double percent : {0.1, 50.0, 99.0, 99.99, 100.0}) {
    const auto value = histogram.percentile_ns(percent);
    check(value.has_value() == !histogram.empty());
    check(!value || *value >= last);
    last = value.value_or(0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FioOutput output;
  try {
    output = parse_fio(text, "input.json");
  } catch (const Error& e) {
    check(e.status() == Exit::usage);
    check(std::string_view(e.what()).starts_with("input.json:"));
    return 0;
  }
  check(!output.version.empty());
  for (const FioJob& job : output.jobs)
    for (const FioDirection* d : {&job.read, &job.write, &job.trim, &job.mixed, &job.sync})
      for (const FioLatency* latency : {&d->slat, &d->clat, &d->lat})
        check_histogram(latency->bins);
  // The job names that the seeds have.
  const RunFigures figures = measure({}, results::example_plan(), output, nullptr);
  check(figures.phases.size() == 2);
  for (const PhaseFigures& phase : figures.phases)
    for (const auto* direction : {&phase.write, &phase.read})
      if (*direction) check_histogram((*direction)->clat);
  return 0;
}
