#include "engines/rbd/effective.h"

#include "runner/base/error.h"
#include "runner/base/json.h"

namespace lab::rbd {
namespace {

std::string value_of(const EffectiveOptions& options, const std::string& name) {
  auto found = options.find(name);
  return found == options.end() ? "" : found->second.value;
}

std::string repair(const Options& asked, const std::string& name, const EffectiveOption& option) {
  if (option.source == "image")
    return fmt::format("remove the image's own value: rbd config image remove {} {}",
                       image_spec(asked), name);
  if (option.source == "pool")
    return fmt::format("remove the pool's value: rbd config pool remove {} {}", asked.pool, name);
  return fmt::format("look for {} in rados_conf=, CEPH_ARGS and the cluster's configuration", name);
}

std::string complaint(const Options& asked, const std::string& name, const EffectiveOption& option,
                      const std::string& wanted) {
  std::string source =
      option.source == "config" ? "the configuration" : "the " + option.source + "'s own settings";
  return fmt::format("image {}: cache={} was asked for, but {} is \"{}\" (from {}), not {}; {}",
                     image_spec(asked), to_text(asked.cache), name, option.value, source, wanted,
                     repair(asked, name, option));
}

}  // namespace

CacheMode effective_cache(const EffectiveOptions& options) {
  if (value_of(options, "rbd_cache") != "true") return CacheMode::off;
  bool dirty = value_of(options, "rbd_cache_max_dirty") != "0";
  std::string policy = value_of(options, "rbd_cache_policy");
  if (policy == "writearound") return dirty ? CacheMode::writearound : CacheMode::off;
  if (policy == "writeback" && dirty) return CacheMode::writeback;
  return CacheMode::writethrough;
}

bool has_object_cacher(const std::string& perf_dump, const std::string& image_id) {
  Json dump = Json::parse(perf_dump, nullptr, false);
  if (!dump.is_object()) throw environment_error("the client's perf dump is no JSON object");
  std::string prefix = "objectcacher-librbd-" + image_id + "-";
  for (const auto& [name, counters] : dump.items())
    if (name.starts_with(prefix)) return true;
  return false;
}

std::optional<std::string> cache_mismatch(const Options& asked, const EffectiveOptions& effective,
                                          bool object_cacher) {
  if (asked.cache == CacheMode::config) return {};
  for (const auto& [name, wanted] : cache_settings(asked.cache)) {
    auto found = effective.find(name);
    if (found == effective.end())
      return fmt::format(
          "image {}: this librbd doesn't report {}, so cache={} can't be proven; "
          "say cache=config to measure without proof",
          image_spec(asked), name, to_text(asked.cache));
    if (found->second.value != wanted)
      return complaint(asked, name, found->second, "\"" + wanted + "\"");
  }
  bool may_be_dirty = asked.cache == CacheMode::writeback || asked.cache == CacheMode::writearound;
  if (auto found = effective.find("rbd_cache_max_dirty");
      may_be_dirty && found != effective.end() && found->second.value == "0")
    return complaint(asked, found->first, found->second, "above 0, so nothing would be cached");
  if (auto found = effective.find("rbd_persistent_cache_mode");
      found != effective.end() && found->second.value != "disabled")
    return complaint(asked, found->first, found->second, "\"disabled\"");
  bool expect_cacher =
      asked.cache == CacheMode::writethrough || asked.cache == CacheMode::writeback;
  if (object_cacher != expect_cacher)
    return fmt::format(
        "image {}: cache={} was asked for and its options are in force, but librbd {} an object "
        "cache (perf dump); say cache=config to measure without proof",
        image_spec(asked), to_text(asked.cache), object_cacher ? "made" : "didn't make");
  return {};
}

}  // namespace lab::rbd
