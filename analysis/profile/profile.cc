#include "analysis/profile/profile.h"

namespace lab::analysis::profile {
namespace {

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

void drop_end(std::string_view& text, std::string_view end) {
  if (text.size() > end.size() && text.ends_with(end)) text.remove_suffix(end.size());
}

}  // namespace

void Process::add(const Process& other) {
  total += other.total;
  in_focus += other.in_focus;
  unresolved += other.unresolved;
  processes += other.processes;
  named_by_file |= other.named_by_file;
  for (const auto& [name, place] : other.places) {
    Place& own = places[name];
    own.inclusive += place.inclusive;
    own.self += place.self;
  }
}

std::string_view frame_name(std::string_view frame) {
  constexpr size_t kAddress = 18;  // 16 digits in angle brackets
  drop_end(frame, "[inline]");
  if (frame.size() > kAddress && frame.ends_with('>') && frame[frame.size() - kAddress] == '<' &&
      is_hex(frame.substr(frame.size() - kAddress + 1, kAddress - 2)))
    frame.remove_suffix(kAddress);
  return frame.empty() ? kUnknown : frame;
}

bool is_unresolved(std::string_view name) {
  if (name.empty() || name.starts_with(kUnknown) || name == kNoStack) return true;
  if (name.starts_with("0x")) return is_hex(name.substr(2));
  return name.starts_with('[') && name.ends_with(']');
}

}  // namespace lab::analysis::profile
