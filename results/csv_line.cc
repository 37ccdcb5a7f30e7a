#include "results/csv_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runner/base/error.h"

namespace lab::results {
namespace {

constexpr size_t kRead = 1 << 20;

}  // namespace

CsvLines::CsvLines(const fs::path& path)
    : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!file_ && errno != ENOENT)
    throw environment_error("{}: cannot open: {}", path.string(), strerror(errno));
}

bool CsvLines::fill() {
  if (!file_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const size_t have = buffer_.size();
  buffer_.resize(have + kRead);
  const ssize_t got = read(file_.get(), buffer_.data() + have, kRead);
  if (got < 0) throw environment_error("{}: cannot read: {}", path_.string(), strerror(errno));
  buffer_.resize(have + static_cast<size_t>(got));
  return got > 0;
}

bool CsvLines::next() {
  size_t searched = begin_;
  size_t newline = std::string::npos;
  while ((newline = buffer_.find('\n', searched)) == std::string::npos) {
    searched = buffer_.size() - begin_;
    if (!fill()) return false;
  }
  line_ = std::string_view(buffer_).substr(begin_, newline - begin_);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  begin_ = newline + 1;
  ++number_;
  return true;
}

std::string DamagedLines::text(const fs::path& file) const {
  if (count == 0) return "";
  return fmt::format("{}: {} lines could not be read, the first is line {}", file.string(), count,
                     first);
}

}  // namespace lab::results
