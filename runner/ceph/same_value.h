// Ceph prints values its own way: 1 for true, 33554432 for 32M, 0.500000 for 0.5.
#pragma once

#include <string>

namespace lab::ceph {

// Do both texts mean the same value of a Ceph option? Pure.
bool same_value(const std::string& asked, const std::string& effective);

}  // namespace lab::ceph
