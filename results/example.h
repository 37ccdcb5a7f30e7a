// For tests: the manifest and the plan of a small measurement.
#pragma once

#include "results/manifest.h"
#include "results/plan.h"

namespace lab::results {

inline Manifest example_manifest() {
  Manifest m;
  m.lab = "0.1.0";
  m.created = "2026-11-30T19:03:14.000Z";
  m.command = {"lab", "run", "4k-randrw.fio", "--matrix=cache"};
  m.title = "4k-randrw";
  m.target = "rbd";
  m.matrix = {"cache"};
  m.conditions = {{"fio", "fio-3.33"}, {"Ceph client", "16.2.15"}, {"replicas", "2"}};
  m.osds = {{0, "localhost", "tcmalloc", "libgoogle-perftools4", "2.10-1"}};
  return m;
}

// Two cells in two mirrored blocks; random writes, then random reads.
inline Plan example_plan() {
  Plan plan;
  plan.seed = 7;
  plan.cells = {{"off", "4k-rbd_cache_off", {{"cache", "off"}}},
                {"writeback", "4k-rbd_cache_writeback", {{"cache", "writeback"}}}};
  plan.phases = {{{"randwrite"}, true, false}, {{"randread"}, false, true}};
  plan.rows = {{2, "off", "rand rw", 4096, 16, 1, 0, 1},
               {3, "writeback", "rand rw", 4096, 16, 1, 0, 1}};
  plan.runs = {{1, "off", 1, 1, true},
               {2, "writeback", 1, 2, true},
               {3, "writeback", 2, 1, true},
               {4, "off", 2, 2, true}};
  return plan;
}

}  // namespace lab::results
