#include "analysis/render/escape.h"

#include <algorithm>

namespace lab::analysis {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The length in bytes of the valid UTF-8 sequence at the start of `text`; 0: there is none.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (length == 0 || lead > 0xf4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if (!is_continuation(text[i])) return 0;
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f))
    return 0;  // longer than needed, a surrogate, or above U+10FFFF
  return length;
}

// U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
bool reorders(std::string_view sequence) {
  if (sequence == "\xd8\x9c") return true;
  if (sequence.size() != 3 || sequence[0] != '\xe2') return false;
  const unsigned last = static_cast<unsigned char>(sequence[2]);
  if (sequence[1] == '\x80') return last == 0x8e || last == 0x8f || (last >= 0xaa && last <= 0xae);
  return sequence[1] == '\x81' && last >= 0xa6 && last <= 0xa9;
}

std::string html_line(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = sequence_length(text.substr(i));
    const std::string_view sequence = text.substr(i, length);
    i += length == 0 ? 1 : length;
    if (length == 0 || reorders(sequence)) {
      out += kReplacement;
    } else if (sequence == "&") {
      out += "&amp;";
    } else if (sequence == "<") {
      out += "&lt;";
    } else if (sequence == ">") {
      out += "&gt;";
    } else if (sequence == "\"") {
      out += "&quot;";
    } else if (sequence == "'") {
      out += "&#39;";
    } else {
      out += sequence;
    }
  }
  return out;
}

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

std::string html_text(std::string_view text) { return html_line(one_line(text)); }

std::string html_lines(std::string_view text) {
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of("\n\t"), rest.size());
    out += html_line(one_line(rest.substr(0, end)));
    if (end < rest.size()) out += rest[end];
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (char c : text) width += !is_continuation(c);
  return width;
}

}  // namespace lab::analysis
