// Text set into columns and lines of a terminal. Widths are those that a terminal shows. Pure.
#pragma once

#include <string>
#include <string_view>

namespace lab::analysis {

constexpr std::string_view kColumnGap = "  ";
constexpr size_t kProseWidth = 100;  // of sentences where a table may be as wide as it gets

std::string padded(std::string_view text, size_t width, bool right);
std::string trimmed_right(std::string text);
// The beginning of a text that is wider than `width`, with ".." at its end.
std::string shortened(const std::string& text, size_t width);
// Words put into lines after a prefix that stays as it is; later lines are indented.
std::string wrapped(std::string_view prefix, std::string_view text, size_t width, size_t indent);

}  // namespace lab::analysis
