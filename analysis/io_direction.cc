#include "analysis/io_direction.h"

namespace lab::analysis {

const DirectionFigures* figures_of(const RunFigures& run, const results::Row& row,
                                   const IoDirection& direction) {
  const std::optional<unsigned> phase = row.*direction.phase;
  if (!phase || *phase >= run.phases.size()) return nullptr;
  const auto& found = run.phases[*phase].*direction.figures;
  return found ? &*found : nullptr;
}

}  // namespace lab::analysis
