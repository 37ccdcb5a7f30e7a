#include "engines/rbd/options.h"

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::rbd {
namespace {

// Options written "rbd cache", "rbd-cache" and "rbd_cache" are one to Ceph.
std::string canonical(std::string_view key) {
  std::string name(trim(key));
  for (char& c : name)
    if (c == ' ' || c == '-') c = '_';
  return name;
}

}  // namespace

const char* to_text(CacheMode mode) {
  switch (mode) {
    case CacheMode::off:
      return "off";
    case CacheMode::writethrough:
      return "writethrough";
    case CacheMode::writeback:
      return "writeback";
    case CacheMode::writearound:
      return "writearound";
    case CacheMode::config:
      return "config";
  }
  return "?";
}

Settings cache_settings(CacheMode mode) {
  switch (mode) {
    case CacheMode::off:
      return {{"rbd_cache", "false"}};
    case CacheMode::writethrough:
      // rbd_cache_max_dirty=0 alone would leave the policy at writearound.
      return {{"rbd_cache", "true"}, {"rbd_cache_policy", "writethrough"}};
    case CacheMode::writeback:
    case CacheMode::writearound:
      // The default holds dirty data back until the first flush: a job that never
      // flushes would measure writethrough.
      return {{"rbd_cache", "true"},
              {"rbd_cache_policy", to_text(mode)},
              {"rbd_cache_writethrough_until_flush", "false"}};
    case CacheMode::config:
      break;
  }
  return {};
}

Settings parse_settings(std::string_view text) {
  Settings settings;
  if (trim(text).empty()) return settings;
  for (const std::string& part : split(text, ',')) {
    size_t equals = part.find('=');
    if (equals == std::string::npos) {
      if (settings.empty())
        throw usage_error(
            "rados_conf=\"{}\": \"{}\" is no key=value; write e.g. "
            "rados_conf=rbd_cache_size=67108864,rbd_qos_iops_limit=0",
            text, part);
      settings.back().second += "," + part;
      continue;
    }
    std::string key = canonical(std::string_view(part).substr(0, equals));
    if (key.empty())
      throw usage_error("rados_conf=\"{}\": no option name before \"=\" in \"{}\"", text, part);
    settings.emplace_back(key, trim(std::string_view(part).substr(equals + 1)));
  }
  return settings;
}

Settings settings_of(const Options& options) {
  if (options.pool.empty())
    throw usage_error("job {}: pool= is missing: name the pool of the image", options.job);
  if (options.rbdname.empty())
    throw usage_error("job {}: rbdname= is missing: name the image in pool {}", options.job,
                      options.pool);
  Settings settings;
  if (!options.keyring.empty()) settings.emplace_back("keyring", options.keyring);
  Settings cache = cache_settings(options.cache);
  settings.insert(settings.end(), cache.begin(), cache.end());
  for (const auto& [key, value] : parse_settings(options.rados_conf)) {
    if (key == "admin_socket")
      throw usage_error("rados_conf sets admin_socket, which the engine needs itself: remove it");
    for (const auto& [ours, our_value] : cache)
      if (key == ours)
        throw usage_error(
            "rados_conf sets {}={}, but cache={} sets it to {}: remove it there, or say "
            "cache=config",
            key, value, to_text(options.cache), our_value);
    settings.emplace_back(key, value);
  }
  return settings;
}

std::string entity_name(const Options& options) {
  if (options.clientname.empty()) return "client.admin";
  return options.clientname.find('.') == std::string::npos ? "client." + options.clientname
                                                           : options.clientname;
}

std::string image_spec(const Options& options) {
  return options.name_space.empty()
             ? options.pool + "/" + options.rbdname
             : options.pool + "/" + options.name_space + "/" + options.rbdname;
}

std::string connection_key(const Options& options) {
  // A newline can't occur in any part.
  std::string key =
      fmt::format("{}\n{}\n{}", options.clustername, options.conf, entity_name(options));
  for (const auto& [name, value] : settings_of(options)) key += "\n" + name + "=" + value;
  return key;
}

std::string image_key(const Options& options) {
  return connection_key(options) + "\n\n" + options.pool + "\n" + options.name_space + "\n" +
         options.rbdname;
}

}  // namespace lab::rbd
