#include "analysis/profile/perf_line.h"

#include <algorithm>

#include "analysis/profile/profile.h"
#include "runner/base/text.h"

namespace lab::analysis::profile {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kDigits = "0123456789";

bool is_all(std::string_view text, std::string_view of) {
  return !text.empty() && text.find_first_not_of(of) == std::string_view::npos;
}

// "344.820908:"
bool is_time(std::string_view word) {
  if (!word.ends_with(':')) return false;
  word.remove_suffix(1);
  const size_t point = word.find('.');
  return point != std::string_view::npos && is_all(word.substr(0, point), kDigits) &&
         is_all(word.substr(point + 1), kDigits);
}

// The last word of `text`, taken off it with the blanks before it.
std::string_view take_last(std::string_view& text) {
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  const size_t blank = text.find_last_of(kBlanks);
  const std::string_view word = text.substr(blank == std::string_view::npos ? 0 : blank + 1);
  text.remove_suffix(word.size());
  return word;
}

std::string_view take_first(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

// What stands before the time: "comm pid/tid [cpu]".
bool parse_thread(std::string_view text, PerfHeader& header) {
  std::string_view word = take_last(text);
  if (word.starts_with('[') && word.ends_with(']') &&
      is_all(word.substr(1, word.size() - 2), kDigits))
    word = take_last(text);
  const size_t slash = word.find('/');
  if (slash != std::string_view::npos) {
    header.pid = word.substr(0, slash);
    if (!is_all(header.pid, kDigits)) return false;
    word.remove_prefix(slash + 1);
  }
  header.tid = word;
  header.comm = trim(text);
  return is_all(header.tid, kDigits) && !header.comm.empty();
}

// Where the blank and the last group of parentheses begin, "symbol (object (deleted))".
size_t object_begin(std::string_view text) {
  if (!text.ends_with(')')) return std::string_view::npos;
  size_t open = 0;
  for (size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')') ++open;
    if (text[at] == '(' && --open == 0)
      return at > 0 && text[at - 1] == ' ' ? at - 1 : std::string_view::npos;
  }
  return std::string_view::npos;
}

std::string unknown_in(std::string_view object) {
  if (object.empty() || object == kUnknown) return std::string(kUnknown);
  object.remove_prefix(object.find_last_of('/') + 1);
  return std::string(kUnknown) + " (" + std::string(object) + ")";
}

}  // namespace

std::optional<PerfHeader> parse_perf_header(std::string_view line) {
  for (size_t end = line.find(':'); end != std::string_view::npos; end = line.find(':', end + 1)) {
    std::string_view before = line.substr(0, end + 1);
    if (end + 1 < line.size() && kBlanks.find(line[end + 1]) == std::string_view::npos) continue;
    if (!is_time(take_last(before))) continue;
    PerfHeader header;
    if (!parse_thread(before, header)) continue;
    std::string_view rest = line.substr(end + 1);
    std::string_view word = take_first(rest);
    if (is_all(word, kDigits)) word = take_first(rest);
    if (word.ends_with(':')) {
      header.event = word.substr(0, word.size() - 1);
    } else if (!word.empty()) {
      // No event is told, but something stands there.
      rest = line.substr(static_cast<size_t>(word.data() - line.data()));
    }
    header.rest = trim(rest);
    return header;
  }
  return {};
}

std::optional<std::string> parse_perf_frame(std::string_view line) {
  std::string_view text = trim(line);
  if (!is_all(take_first(text), "0123456789abcdef")) return {};
  text = trim(text);
  if (text.empty()) return std::string(kUnknown);
  std::string_view object;
  if (const size_t begin = object_begin(text); begin != std::string_view::npos) {
    object = text.substr(begin + 2, text.size() - begin - 3);
    text = trim(text.substr(0, begin));
  } else if (text.starts_with('(') && text.ends_with(')')) {
    return unknown_in(text.substr(1, text.size() - 2));
  }
  const size_t offset = text.rfind("+0x");
  if (offset != std::string_view::npos && is_all(text.substr(offset + 3), "0123456789abcdef"))
    text = text.substr(0, offset);
  if (text.empty() || text == kUnknown) return unknown_in(object);
  return std::string(text);
}

}  // namespace lab::analysis::profile
