// A value of a Ceph option in an answer, where it may be a text, a number or a boolean.
#pragma once

#include <string>

#include "runner/base/json.h"

namespace lab::ceph {

inline std::string option_text(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace lab::ceph
