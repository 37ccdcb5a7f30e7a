#include "runner/witness/host_witness.h"

#include "runner/witness/judge.h"

namespace lab::witness {

std::vector<results::Mark> HostWitness::end() const {
  return judge_host(before_, look_at_host(), threads_.busiest());
}

}  // namespace lab::witness
