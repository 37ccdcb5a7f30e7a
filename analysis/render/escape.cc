#include "analysis/render/escape.h"

namespace lab::analysis {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    // The C1 controls in UTF-8, U+0080 to U+009F: 0x9b alone begins an escape sequence.
    bool c1 = text[i] == '\xc2' && i + 1 < text.size() &&
              static_cast<unsigned char>(text[i + 1]) < 0xa0 && is_continuation(text[i + 1]);
    if (c1) ++i;
    if (!c1 && !is_control(text[i]))
      out += text[i];
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

std::string defuse_formula(std::string_view text) {
  constexpr std::string_view kStarters = "=+-@\t\r";
  bool starts = !text.empty() && kStarters.find(text.front()) != std::string_view::npos;
  return (starts ? "'" : "") + std::string(text);
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
  return out;
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (char c : one_line(text)) {
    // A backslash escapes punctuation in Markdown, also what begins HTML and links.
    if (std::string_view("|\\`*[]<>&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += !is_continuation(c);
  return width;
}

}  // namespace lab::analysis
