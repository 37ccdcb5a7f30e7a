// What both targets on an RBD image share: all but how fio gets at it.
#pragma once

#include "runner/target/ceph_side.h"
#include "runner/target/rbd_data.h"
#include "runner/target/target.h"

namespace lab {

class ImageTarget : public Target {
 public:
  ImageTarget(ceph::Cluster& cluster, RbdData data) : side_(cluster), data_(std::move(data)) {}

  void claim(const JobFile& /*job*/) override { data_.claim(); }
  void prepare(const PrepareProgress& progress) override {
    side_.wait_quiet(progress);
    data_.prepare(progress);
  }
  results::TextList conditions() override { return side_.conditions(data_); }
  std::vector<results::OsdRecord> osds() override { return side_.osds(); }
  std::string fsid() const override { return side_.fsid(); }
  std::vector<results::Mark> settle(const std::function<void(const std::string&)>& say,
                                    Start start) override {
    data_.wait_unused(say);
    return side_.settle(say, start);
  }
  std::vector<results::Mark> after_run(const witness::ClientAccount& client) override {
    return side_.after_run(client, data_.object_bytes());
  }
  std::vector<results::OsdProcess> osd_processes() override { return side_.osd_processes(); }
  void finish() override { data_.remove(); }

 protected:
  const RbdData& data() const { return data_; }

 private:
  CephSide side_;
  RbdData data_;
};

}  // namespace lab
