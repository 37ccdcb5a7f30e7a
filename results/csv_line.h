// Plain lines of large CSV files (no quotes), read without loading the file: what samples
// over time are kept in.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "runner/base/file.h"

namespace lab::results {

// The complete lines of a file, one after the other. A last line without its newline was cut
// off when its writer was killed, and is left out. A file that is not there has no lines.
class CsvLines {
 public:
  explicit CsvLines(const fs::path& path);

  // False at the end. Throws lab::Error (Exit::environment) naming the file if it cannot be read.
  bool next();
  // Without its line end; valid until next().
  std::string_view line() const { return line_; }
  uint64_t number() const { return number_; }  // of the line, from 1
  // After the last line: what follows it without a newline. Most writers here were cut off there.
  std::string_view rest() const { return std::string_view(buffer_).substr(begin_); }

 private:
  bool fill();

  fs::path path_;
  Fd file_;
  std::string buffer_;
  size_t begin_ = 0;  // of what is not read yet, in `buffer_`
  std::string_view line_;
  uint64_t number_ = 0;
};

template <size_t count>
using CsvFields = std::array<std::string_view, count>;

// False if the line does not have exactly that many fields.
template <size_t count>
bool split_line(std::string_view line, CsvFields<count>& fields) {
  for (size_t i = 0; i < count; ++i) {
    const size_t comma = line.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == count)) return false;
    fields[i] = line.substr(0, comma);
    if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
  }
  return true;
}

// The whole field as a number.
template <typename Number>
bool number_of(std::string_view field, Number& number) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() && end == field.data() + field.size();
}

// A point of time, as seconds since some beginning: a number that is not negative and not
// infinite.
inline bool time_of(std::string_view field, double& time_s) {
  return number_of(field, time_s) && std::isfinite(time_s) && time_s >= 0;
}

// Lines that could not be read: how many, and the number of the first.
struct DamagedLines {
  uint64_t count = 0;
  uint64_t first = 0;

  void add(uint64_t line) {
    if (count++ == 0) first = line;
  }
  // What is to be said of them; empty if there are none.
  std::string text(const fs::path& file) const;
};

}  // namespace lab::results
