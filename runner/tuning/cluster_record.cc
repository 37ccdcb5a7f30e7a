#include "runner/tuning/cluster_record.h"

#include <cstdlib>
#include <string_view>

namespace lab {
namespace {

constexpr const char* kWord = "lab/restored";

}  // namespace

KeyStore config_keys(ceph::Cluster& cluster) {
  return {[&cluster](const std::string& prefix) {
            const Json all = cluster.mon({{"prefix", "config-key dump"}, {"key", prefix}});
            std::map<std::string, std::string> found;
            for (const auto& [key, value] : all.items())
              if (key.starts_with(prefix)) found[key] = value.get<std::string>();
            return found;
          },
          [&cluster](const std::string& key, const std::string& value) {
            cluster.mon({{"prefix", "config-key set"}, {"key", key}, {"val", value}});
          },
          [&cluster](const std::string& key) {
            cluster.mon({{"prefix", "config-key rm"}, {"key", key}});
          }};
}

std::vector<std::string> ClusterRecord::read() {
  std::vector<std::string> texts;
  // Sorted by the keys, whose numbers have leading zeros.
  for (const auto& [key, value] : keys_.read(kPrefix)) {
    texts.push_back(value);
    next_ = std::strtoul(key.c_str() + std::string_view(kPrefix).size(), nullptr, 10) + 1;
  }
  return texts;
}

void ClusterRecord::append(const std::string& text) {
  keys_.set(fmt::format("{}{:08}", kPrefix, next_++), text);
}

void ClusterRecord::remove() {
  const std::map<std::string, std::string> all = keys_.read(kPrefix);
  // The head goes last: a removal that is cut short leaves a record that can be read.
  for (auto key = all.rbegin(); key != all.rend(); ++key) keys_.remove(key->first);
  next_ = 0;
}

void ClusterRecord::leave_word(const ceph::LockHolder& holder) {
  keys_.set(kWord, ceph::to_cookie(holder));
}

bool ClusterRecord::take_word(const ceph::LockHolder& holder) {
  const std::map<std::string, std::string> all = keys_.read(kWord);
  const auto word = all.find(kWord);
  if (word == all.end() || word->second != ceph::to_cookie(holder)) return false;
  keys_.remove(kWord);
  return true;
}

}  // namespace lab
