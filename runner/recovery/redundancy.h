// May these OSDs fail? Whether every object keeps enough copies, and whether the rest of the
// cluster has room to make it whole again, from the cluster's own answers. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "runner/base/json.h"
#include "runner/ceph/cluster.h"

namespace lab::recovery {

// As the commands of these names answer.
struct ClusterAnswers {
  Json osd_dump;
  Json osd_tree;
  Json crush_rules;  // osd crush rule dump
  Json pgs;          // pg dump pgs_brief: its array of placement groups
  Json osd_df;
};
ClusterAnswers ask(ceph::Cluster& cluster);

// What of it is not there while the OSDs are away.
struct Loss {
  std::set<int> osds;
  bool copies = false;  // what they hold cannot be read meanwhile
  bool places = false;  // the rest has to hold it all
};

// Reasons against it, for people; empty if there are none.
std::vector<std::string> obstacles(const ClusterAnswers& cluster, const Loss& loss);

// Up and in, ascending.
std::vector<int> serving_osds(const Json& osd_dump);

}  // namespace lab::recovery
