#include "analysis/fio_text_number.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include "runner/base/text.h"

namespace lab::analysis {

namespace {

// The decimal number at the beginning of `text`, which is taken off it.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(value) || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

// The exponent of 1000 or 1024 that a letter stands for, which is taken off; 0 for none.
int take_prefix(std::string_view& text) {
  constexpr std::string_view letters = "kmgtpe";
  if (text.empty()) return 0;
  size_t found = letters.find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[0]))));
  if (found == std::string_view::npos) return 0;
  text.remove_prefix(1);
  return static_cast<int>(found) + 1;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::optional<double> parse_fio_count(std::string_view text) {
  text = trim(text);
  std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  double value = *number * std::pow(1000, take_prefix(text));
  if (!text.empty()) return std::nullopt;
  return value;
}

std::optional<double> parse_fio_bytes(std::string_view text, bool old_units) {
  text = trim(text);
  std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  int exponent = take_prefix(text);
  bool binary = old_units;
  if (exponent > 0 && text.starts_with('i')) {
    binary = true;
    text.remove_prefix(1);
  }
  double value = *number * std::pow(binary ? 1024 : 1000, exponent);
  if (text.ends_with("/s")) text.remove_suffix(2);
  if (text == "bit") return value / 8;
  if (text == "B" || text.empty()) return value;
  return std::nullopt;
}

std::optional<double> parse_fio_time_unit(std::string_view text) {
  text = trim(text);
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  if (text == "nsec") return 1;
  if (text == "usec") return 1e3;
  if (text == "msec") return 1e6;
  if (text == "sec") return 1e9;
  return std::nullopt;
}

std::optional<std::string_view> fio_value(std::string_view line, std::string_view key,
                                          std::string_view ends) {
  for (size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
    if (at > 0 && std::string_view(" ,:").find(line[at - 1]) == std::string_view::npos) continue;
    std::string_view value = line.substr(at + key.size());
    return trim(value.substr(0, value.find_first_of(ends)));
  }
  return std::nullopt;
}

std::vector<uint64_t> parse_fio_list(std::string_view text) {
  std::vector<uint64_t> list;
  for (size_t i = 0; i < text.size();) {
    if (is_digit(text[i])) {
      uint64_t value = 0;
      auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
      if (error != std::errc{}) break;
      list.push_back(value);
      i = static_cast<size_t>(end - text.data());
    } else if (is_letter(text[i]) && !(i + 1 < text.size() && text[i + 1] == '=')) {
      break;  // a word: the next list begins
    } else {
      ++i;
    }
  }
  return list;
}

}  // namespace lab::analysis
