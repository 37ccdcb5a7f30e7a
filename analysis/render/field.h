// One field of a table for spreadsheets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lab::analysis {

// A text that may be hostile, or a number that must stay one.
struct Field {
  std::string text;
  bool number = false;
  // For tables that their readers sort: the figure behind a text for people, "1000/3000 (4k)".
  std::optional<double> sort_by = {};
  // For tables that have links: the marks of the legend that the text names.
  std::vector<size_t> marks = {};
};

using Record = std::vector<Field>;

// Empty for none, and for what is no number.
Field number_field(std::optional<double> value, int decimals);
Field count_field(uint64_t value);

}  // namespace lab::analysis
