#include "results/samples.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "runner/base/error.h"

namespace lab::results {
namespace {

constexpr std::string_view kHeader = "time_s,wall,phase,daemon,metric,value";
// Kept while the disk is full: some minutes of many daemons.
constexpr size_t kMostWaiting = 16 << 20;

void append_name(std::string& out, std::string_view name) {
  for (const char c : name)
    out += static_cast<unsigned char>(c) < 0x20 || c == ',' || c == '"' ? '_' : c;
  out += ',';
}

}  // namespace

SampleLog::SampleLog(const fs::path& file)
    : path_(file), file_(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
  if (!file_)
    throw environment_error("{}: cannot be made for samples: {}", file.string(), strerror(errno));
  buffer_ = kHeader;
  buffer_ += '\n';
  flush();
}

void SampleLog::at(double time_s, TimePoint wall, std::string_view phase) {
  moment_.clear();
  fmt::format_to(std::back_inserter(moment_), "{:.3f},{},", time_s, format_utc(wall));
  append_name(moment_, phase);
}

void SampleLog::add(std::string_view daemon, std::string_view metric, uint64_t value) {
  if (!file_ || buffer_.size() > kMostWaiting) {
    ++lost_;
    return;
  }
  buffer_ += moment_;
  append_name(buffer_, daemon);
  append_name(buffer_, metric);
  fmt::format_to(std::back_inserter(buffer_), FMT_STRING("{}\n"), value);
}

void SampleLog::complain(const char* what) {
  if (problem_.empty())
    problem_ = fmt::format("{}: cannot {}: {}", path_.string(), what, strerror(errno));
}

void SampleLog::flush() {
  size_t written = 0;
  while (file_ && written < buffer_.size()) {
    const ssize_t n = write(file_.get(), buffer_.data() + written, buffer_.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      complain("write");
      break;
    }
    written += static_cast<size_t>(n);
  }
  buffer_.erase(0, written);
}

void SampleLog::finish() {
  if (!file_) return;
  flush();
  lost_ += static_cast<uint64_t>(std::count(buffer_.begin(), buffer_.end(), '\n'));
  buffer_.clear();
  if (fsync(file_.get()) != 0) complain("bring to disk");
  file_ = Fd();
}

bool Samples::next(Sample& sample) {
  while (lines_.next()) {
    if (lines_.number() == 1) {
      if (lines_.line() != kHeader) damaged_.add(1);
      continue;
    }
    CsvFields<6> fields;
    if (split_line(lines_.line(), fields) && time_of(fields[0], sample.time_s) &&
        number_of(fields[5], sample.value)) {
      sample.phase = fields[2];
      sample.daemon = fields[3];
      sample.metric = fields[4];
      return true;
    }
    damaged_.add(lines_.number());
  }
  return false;
}

}  // namespace lab::results
