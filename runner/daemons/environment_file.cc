#include "runner/daemons/environment_file.h"

#include <cctype>

#include "runner/base/text.h"

namespace lab::daemons {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (const char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Reads one value at a time; stands behind its line's end afterwards.
class ValueReader {
 public:
  ValueReader(std::string_view text, size_t at) : text_(text), at_(at) {}

  std::string read() {
    // Quotes are such before the first bare character only, and again after one that ends; blanks
    // between quoted parts don't count, nor those at the end.
    bool bare = false;
    while (more() && text_[at_] != '\n') {
      const char c = text_[at_++];
      if (!bare && c == '\'') {
        single_quoted();
      } else if (!bare && c == '"') {
        double_quoted();
      } else if (!bare && is_space(c)) {
        continue;
      } else if (c == '\\') {
        bare = true;
        escaped();
      } else {
        bare = true;
        value_ += c;
        if (is_space(c)) continue;
      }
      keep_ = value_.size();
    }
    if (more()) ++at_;
    value_.resize(keep_);
    return std::move(value_);
  }
  size_t at() const { return at_; }

 private:
  bool more() const { return at_ < text_.size(); }

  void single_quoted() {
    while (more() && text_[at_] != '\'') value_ += text_[at_++];
    if (more()) ++at_;
  }

  void double_quoted() {
    while (more() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\' && more()) {
        const char next = text_[at_];
        if (std::string_view("\"\\`$").find(next) != std::string_view::npos) {
          c = next;
          ++at_;
        } else if (next == '\n') {
          ++at_;
          continue;
        }
      }
      value_ += c;
    }
    if (more()) ++at_;
  }

  // Outside of quotes: the next character as it is, and a line's end is none.
  void escaped() {
    if (!more()) return;
    const char next = text_[at_++];
    if (next != '\n') value_ += next;
  }

  std::string_view text_;
  size_t at_;
  std::string value_;
  size_t keep_ = 0;
};

size_t line_end(std::string_view text, size_t at) {
  const size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end;
}

// A comment goes on behind a backslash at its end.
size_t behind_comment(std::string_view text, size_t at) {
  for (;;) {
    const size_t end = line_end(text, at);
    if (end == text.size()) return end;
    if (end == at || text[end - 1] != '\\') return end + 1;
    at = end + 1;
  }
}

}  // namespace

Environment parse_environment_file(std::string_view text) {
  Environment environment;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n' || is_space(text[at])) {
      ++at;
      continue;
    }
    if (text[at] == '#' || text[at] == ';') {
      at = behind_comment(text, at);
      continue;
    }
    const size_t end = line_end(text, at);
    const size_t equals = text.find('=', at);
    if (equals == std::string_view::npos || equals > end) {
      at = end + 1;
      continue;
    }
    const std::string name(trim(text.substr(at, equals - at)));
    ValueReader reader(text, equals + 1);
    std::string value = reader.read();
    at = reader.at();
    if (is_name(name)) environment[name] = std::move(value);
  }
  return environment;
}

std::string environment_line(const std::string& name, const std::string& value) {
  std::string line = name + "=\"";
  for (const char c : value) {
    if (std::string_view("\"\\`$").find(c) != std::string_view::npos) line += '\\';
    line += c;
  }
  return line + "\"\n";
}

}  // namespace lab::daemons
