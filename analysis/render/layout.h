// Text for a terminal: columns that fit its width, and wrapped prose. Widths are those that a
// terminal shows. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/mark.h"

namespace lab::analysis {

constexpr std::string_view kColumnGap = "  ";
constexpr size_t kProseWidth = 100;  // of sentences where a table may be as wide as it gets

std::string padded(std::string_view text, size_t width, bool right);
std::string trimmed_right(std::string text);
// A text that is wider than `width`: its beginning and `end` together are that wide.
std::string shortened(std::string_view text, size_t width, std::string_view end = "..");
// The same for names of functions, which tell most at both ends: a piece of the middle is
// replaced.
std::string shortened_inside(std::string_view text, size_t width, std::string_view gap = "..");

struct Column {
  std::string title;
  bool right = false;  // numbers stand to the right
  int rank = 0;        // 0: always shown; else shown if there is room, 1 first
  std::vector<std::string> cells;

  size_t width() const;
};

// Columns as lines, without their newlines.
struct TextTable {
  std::string head;
  std::vector<std::string> rows;
  std::string left_out;  // which columns there was no room for: a paragraph, or empty
};

// In `width` columns of a terminal (0: as many as it takes) there is room for the most important
// ones; those of one rank are kept together or not at all. Where even the rest is too wide, the
// first one is shortened. `prose` is the width of sentences.
TextTable text_table(std::vector<Column> columns, size_t width, size_t prose);

// Words put into lines after a prefix that stays as it is; later lines are indented.
std::string wrapped(std::string_view prefix, std::string_view text, size_t width, size_t indent);

// Escape sequences, where the terminal wants colours.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string good(const std::string& text) const { return paint("32", text); }
  std::string bad(const std::string& text) const { return paint("31", text); }
  std::string open(const std::string& text) const { return paint("33", text); }
  std::string weight(results::Weight weight, const std::string& text) const;

 private:
  std::string paint(const char* code, const std::string& text) const;
  bool on_;
};

}  // namespace lab::analysis
