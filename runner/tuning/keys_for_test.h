// The monitors' config-key store for tests: a map that counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "runner/base/error.h"
#include "runner/tuning/cluster_record.h"

namespace lab {

struct KeysForTest {
  std::map<std::string, std::string> values;
  size_t writes = 0;
  size_t largest = 0;                 // bytes of a value
  std::optional<size_t> writes_left;  // then the monitors have no quorum any more

  // This object must outlive it.
  KeyStore store() {
    return {[this](const std::string& prefix) {
              std::map<std::string, std::string> found;
              for (const auto& [key, value] : values)
                if (key.starts_with(prefix)) found[key] = value;
              return found;
            },
            [this](const std::string& key, const std::string& value) {
              if (writes_left == 0u) throw environment_error("no quorum");
              if (writes_left) --*writes_left;
              ++writes;
              largest = std::max(largest, value.size());
              values[key] = value;
            },
            [this](const std::string& key) { values.erase(key); }};
  }
};

}  // namespace lab
