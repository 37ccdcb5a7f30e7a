// What block devices and NBD exports share: filled through fio, as far as the job reaches.
#pragma once

#include "runner/target/prefill_fio.h"
#include "runner/target/target.h"

namespace lab {

class FilledTarget : public Target {
 public:
  void prepare(const PrepareProgress& progress) override;
  results::TextList conditions() override;
  FioInput arrange(JobFile job, const Cell& cell, const fs::path& run_directory) override;

 protected:
  // `span_bytes`: how much of it the job needs; 0: all of it.
  FilledTarget(std::string kind, uint64_t span_bytes, std::vector<std::string> destroy)
      : kind_(std::move(kind)), span_bytes_(span_bytes), destroy_(std::move(destroy)) {}

  const std::vector<std::string>& destroy() const { return destroy_; }
  // From claim(): where it is and how large. Throws lab::Error (Exit::usage) if an offset of
  // the job lies beyond its end.
  void set_place(FillPlace place, uint64_t size_bytes, const JobFile& job);
  const FillPlace& place() const { return place_; }

  // What points fio at it, ioengine first.
  virtual std::vector<JobOption> options(const JobFile& job) const = 0;

 private:
  std::string kind_;
  uint64_t span_bytes_;
  std::vector<std::string> destroy_;
  FillPlace place_;  // size_bytes: of the part that is filled
  uint64_t size_bytes_ = 0;
};

}  // namespace lab
