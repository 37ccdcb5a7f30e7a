// Any table of figures gets a verdict or a reason why not: bytes become blocks of cells
// with gaps, equal, huge and tiny values.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "analysis/planning.h"
#include "analysis/verdict.h"

namespace {

using namespace lab::stats;

void check(bool holds) {
  if (!holds) abort();
}

double value_of(uint8_t byte) {
  if (byte < 16) return std::numeric_limits<double>::quiet_NaN();
  if (byte == 16) return 0;
  if (byte == 17) return -1;
  if (byte == 18) return 1e300;
  if (byte == 19) return 1e-300;
  if (byte == 20) return std::numeric_limits<double>::infinity();
  return 1000 + byte;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  size_t cells = 1 + data[0] % 7;
  Blocks blocks;
  blocks.baseline = data[1] % cells;
  bool timed = data[2] % 2 != 0;
  data += 3;
  size -= 3;
  size_t rows = size / (2 * cells);
  if (rows > 12) rows = 12;
  for (size_t b = 0; b < rows; ++b) {
    std::vector<double> values(cells);
    std::vector<double> times(cells);
    for (size_t c = 0; c < cells; ++c) {
      values[c] = value_of(data[2 * (b * cells + c)]);
      times[c] = static_cast<double>(b * cells) + data[2 * (b * cells + c) + 1] % cells;
    }
    blocks.values.push_back(values);
    if (timed) blocks.times.push_back(times);
  }
  BlockAnalysis analysis = analyse_blocks(blocks);
  Metric metric{"IOPS", Direction::higher_is_better, {"a", "b"}, blocks.baseline};
  for (const Judgement& judgement : judge(analysis, metric)) {
    check(!judgement.text.empty());
    check(judgement.text.find("nan") == std::string::npos);
    bool verdict =
        judgement.verdict != Verdict::no_statement && judgement.verdict != Verdict::descriptive;
    if (verdict) {
      check(judgement.p_holm >= 0 && judgement.p_holm <= 1);
      check(judgement.interval95.low <= judgement.ratio &&
            judgement.ratio <= judgement.interval95.high);
      check(judgement.interval90.low >= judgement.interval95.low);
    }
    summarise_control(judgement, metric);
  }
  noise_of(analysis);
  return 0;
}
