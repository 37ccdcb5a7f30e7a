#include "analysis/render/layout.h"

#include "analysis/render/escape.h"
#include "runner/base/text.h"

namespace lab::analysis {

std::string padded(std::string_view text, size_t width, bool right) {
  size_t shown = display_width(text);
  std::string space(width > shown ? width - shown : 0, ' ');
  return right ? space + std::string(text) : std::string(text) + space;
}

std::string trimmed_right(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string shortened(const std::string& text, size_t width) {
  if (display_width(text) <= width || width < 2) return text;
  size_t bytes = 0;
  for (size_t shown = 0; bytes < text.size(); ++bytes)
    if ((text[bytes] & 0xc0) != 0x80 && ++shown > width - 2) break;
  return text.substr(0, bytes) + "..";
}

std::string wrapped(std::string_view prefix, std::string_view text, size_t width, size_t indent) {
  std::string out(prefix);
  size_t column = display_width(prefix);
  bool first = true;
  for (const std::string& word : split(text, ' ')) {
    size_t length = display_width(word);
    if (!first && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    first = false;
    out += word;
    column += length;
  }
  return out + "\n";
}

}  // namespace lab::analysis
