#include "runner/ceph/same_value.h"

#include <charconv>

#include "runner/base/text.h"

namespace lab::ceph {
namespace {

std::string bool_text(const std::string& value) {
  if (value == "1" || value == "yes" || value == "on") return "true";
  if (value == "0" || value == "no" || value == "off") return "false";
  return value;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return {};
  return value;
}

// A size with a unit; a plain number is none, since sizes are whole.
std::optional<double> size(const std::string& text) {
  if (number(text)) return {};
  const auto bytes = parse_bytes(text);
  return bytes ? std::optional<double>(static_cast<double>(*bytes)) : std::nullopt;
}

}  // namespace

bool same_value(const std::string& asked, const std::string& effective) {
  if (asked == effective || bool_text(asked) == bool_text(effective)) return true;
  // Of a log level alone Ceph makes both, what is written and what is gathered in memory.
  if (effective == asked + "/" + asked) return true;
  const auto a = number(asked) ? number(asked) : size(asked);
  const auto e = number(effective) ? number(effective) : size(effective);
  return a && e && *a == *e;
}

}  // namespace lab::ceph
