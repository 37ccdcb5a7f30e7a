#include "analysis/table_noise.h"

#include "analysis/row_groups.h"

namespace lab::analysis {

std::optional<stats::PilotNoise> noise_of(const Table& table) {
  std::optional<stats::PilotNoise> noisiest;
  for (const RowGroup& group : row_groups(table)) {
    for (const IoDirection& direction : {kWrite, kRead}) {
      if (!(table.rows[group.rows[group.baseline]].*direction.summary).planned) continue;
      const auto noise = stats::noise_of(stats::analyse_blocks(blocks_of(table, group, direction)));
      if (noise && (!noisiest || noise->cv_cautious > noisiest->cv_cautious)) noisiest = noise;
    }
  }
  return noisiest;
}

}  // namespace lab::analysis
