#include "runner/target/rbd_builtin_target.h"

#include "engines/ceph/admin_socket.h"
#include "runner/base/text.h"
#include "runner/ceph/same_value.h"
#include "runner/plan/rewrite.h"

namespace lab {
namespace {

constexpr std::chrono::milliseconds kSocketTimeout{500};

// Options that decide the cache mode, whatever the cell sets.
const std::vector<std::string> kCacheOptions = {
    "rbd_cache", "rbd_cache_policy", "rbd_cache_max_dirty", "rbd_cache_writethrough_until_flush"};

rbd::CacheMode mode_of(const std::string& text) {
  for (rbd::CacheMode mode : {rbd::CacheMode::off, rbd::CacheMode::writethrough,
                              rbd::CacheMode::writeback, rbd::CacheMode::writearound})
    if (text == rbd::to_text(mode)) return mode;
  return rbd::CacheMode::config;
}

// Every option that a cell sets in the client.
rbd::Settings client_settings(const Cell& cell) {
  rbd::Settings out;
  for (const Setting& setting : cell.settings) {
    if (const auto* cache = std::get_if<CacheMode>(&setting))
      for (auto& option : rbd::cache_settings(mode_of(cache->mode))) out.push_back(option);
    if (const auto* client = std::get_if<ClientOptions>(&setting))
      for (const auto& option : client->options) out.emplace_back(option);
  }
  return out;
}

std::string config_value(const std::string& socket, const std::string& option) {
  const std::string answer = ceph::admin_socket_command(
      socket, Json{{"prefix", "config get"}, {"var", option}}.dump(), kSocketTimeout);
  const Json json = Json::parse(answer, nullptr, false);
  return json.is_object() ? json.value(option, "") : "";
}

}  // namespace

void RbdBuiltinTarget::claim(const JobFile& job) {
  if (const std::string name = data().options().name_space; !name.empty())
    throw usage_error(
        "fio's own rbd engine knows no namespace, and the inventory names {}; use --target=rbd",
        name);
  ImageTarget::claim(job);
}

FioInput RbdBuiltinTarget::arrange(JobFile job, const Cell& cell, const fs::path& /*run*/) {
  sockets_.emplace();
  seen_.clear();
  object_cacher_.clear();
  asked_options_.clear();

  const rbd::Options o = data().options();
  const rbd::Settings settings = client_settings(cell);
  std::string arguments = "--admin_socket=" + (sockets_->path() / "$pid.$cctid.asok").string();
  if (!o.keyring.empty()) arguments += " --keyring=" + fs::absolute(o.keyring).string();
  for (const auto& [key, value] : settings) {
    arguments += " --" + key + "=" + value;
    asked_options_.push_back(key);
  }
  retarget(job, "rbd-builtin",
           {{"ioengine", "rbd"},
            {"clustername", o.clustername},
            {"clientname", rbd::entity_name(o)},
            {"pool", o.pool},
            {"rbdname", o.rbdname},
            // Else fio has the cache dropped after each pass over the image.
            {"invalidate", "0"}});
  return {std::move(job),
          {{"CEPH_CONF", fs::absolute(o.conf).string()}, {"CEPH_ARGS", arguments}},
          true};
}

void RbdBuiltinTarget::observe(pid_t /*fio*/) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(sockets_->path(), ignored)) {
    const std::string socket = entry.path().string();
    try {
      // The image's counters appear when it is open; only then its cache is decided.
      const std::string dump =
          ceph::admin_socket_command(socket, R"({"prefix":"perf dump"})", kSocketTimeout);
      if (dump.find("\"librbd-") == std::string::npos) continue;
      // Made a moment after the image's counters: a later look may see it where the first did not.
      object_cacher_[socket] |= dump.find("\"objectcacher-librbd-") != std::string::npos;
      if (seen_.contains(socket)) continue;
      rbd::EffectiveOptions options;
      std::vector<std::string> names = kCacheOptions;
      names.insert(names.end(), asked_options_.begin(), asked_options_.end());
      for (const std::string& name : names)
        options[name] = {config_value(socket, name), "admin socket"};
      seen_[socket] = options;
    } catch (const Error&) {
      // Not there yet, or gone already: the next look tells more.
    }
  }
}

std::vector<results::SettingProof> RbdBuiltinTarget::verify(const Cell& cell,
                                                            const fs::path& /*run*/) {
  sockets_.reset();
  std::vector<results::SettingProof> proofs;
  auto prove = [&](const std::string& name, const std::string& asked, auto&& read) {
    results::SettingProof proof;
    proof.name = name;
    proof.asked = asked;
    proof.proof = "admin sockets of the fio process";
    for (const auto& [socket, options] : seen_) {
      const std::string value = read(socket, options);
      const bool same = ceph::same_value(asked, value);
      if (!proof.verified || (*proof.verified && !same)) {
        proof.effective = value;
        proof.source =
            object_cacher_.at(socket) ? "cache object: objectcacher" : "cache object: none";
        proof.verified = same;
      }
    }
    proofs.push_back(proof);
  };
  for (const Setting& setting : cell.settings) {
    if (const auto* cache = std::get_if<CacheMode>(&setting)) {
      prove("cache mode", cache->mode,
            [&](const std::string& socket, const rbd::EffectiveOptions& options) {
              const std::string mode = rbd::to_text(rbd::effective_cache(options));
              // Overrides on the image or its pool are in no process's configuration, but
              // the cache object is made or not.
              const bool has_object = mode == "writethrough" || mode == "writeback";
              return has_object == object_cacher_.at(socket) ? mode : "other than " + mode;
            });
    } else if (const auto* client = std::get_if<ClientOptions>(&setting)) {
      for (const auto& [option, value] : client->options) {
        const std::string& key = option;
        prove(option, value, [&](const std::string&, const rbd::EffectiveOptions& options) {
          return options.at(key).value;
        });
      }
    }
  }
  return proofs;
}

}  // namespace lab
