#include "runner/sandbox/state.h"

#include "runner/base/error.h"

namespace lab::sandbox {
namespace {

constexpr const char* kMark = "lab sandbox";
constexpr int kFormat = 1;

const char* phase_name(Phase phase) {
  switch (phase) {
    case Phase::starting:
      return "starting";
    case Phase::running:
      return "running";
    case Phase::stopping:
      return "stopping";
  }
  return "";
}

Phase phase_of(const std::string& name) {
  if (name == "running") return Phase::running;
  return name == "stopping" ? Phase::stopping : Phase::starting;
}

OrderedJson to_json(const Daemon& daemon) {
  return {{"name", daemon.name},
          {"pid", daemon.process.pid},
          {"start_ticks", daemon.process.start_ticks},
          {"port", daemon.port},
          {"wanted", daemon.wanted},
          {"cpus", daemon.cpus},
          {"argv", daemon.argv},
          {"environment", daemon.environment}};
}

Daemon daemon_from_json(const OrderedJson& json) {
  Daemon daemon;
  daemon.name = json.at("name");
  daemon.process = {json.at("pid"), json.at("start_ticks")};
  daemon.port = json.at("port");
  daemon.wanted = json.at("wanted");
  daemon.cpus = json.value("cpus", hosts::Cpus());
  daemon.argv = json.at("argv").get<std::vector<std::string>>();
  daemon.environment = json.at("environment").get<Environment>();
  return daemon;
}

}  // namespace

Daemon* State::daemon(const std::string& name) {
  for (Daemon& daemon : daemons)
    if (daemon.name == name) return &daemon;
  return nullptr;
}

const Daemon* State::daemon(const std::string& name) const {
  return const_cast<State*>(this)->daemon(name);
}

OrderedJson to_json(const State& state, const Layout& layout) {
  OrderedJson json = {{"what", kMark},
                      {"format", kFormat},
                      {"phase", phase_name(state.phase)},
                      {"directory", layout.dir.string()},
                      {"created_directory", state.created_directory},
                      {"token", state.token},
                      {"fsid", state.fsid},
                      {"created", state.created},
                      {"up_seconds", state.up_seconds},
                      {"conf", layout.conf().string()},
                      {"keyring", layout.keyring().string()},
                      {"base_port", state.ports.base},
                      {"osds", state.options.osds},
                      {"hosts", state.options.hosts},
                      {"osd_bytes", state.options.osd_bytes},
                      {"rgw", state.options.rgw},
                      {"osd_environment", state.options.osd_environment}};
  if (state.s3)
    json["s3"] = {{"endpoint", state.s3->endpoint},
                  {"user", state.s3->user},
                  {"access_key", state.s3->access_key},
                  {"secret_key", state.s3->secret_key}};
  json["daemons"] = OrderedJson::array();
  for (const Daemon& daemon : state.daemons) json["daemons"].push_back(to_json(daemon));
  return json;
}

State state_from_json(const OrderedJson& json, const Layout& layout) {
  if (!json.is_object() || json.value("what", "") != kMark)
    throw environment_error("{}: this is no state of a lab sandbox", layout.state().string());
  if (json.value("format", 0) != kFormat)
    throw environment_error("{}: written by another version of lab (format {}, expected {})",
                            layout.state().string(), json.value("format", 0), kFormat);
  try {
    if (fs::path(json.at("directory").get<std::string>()) != layout.dir)
      throw environment_error("{}: this is the state of a sandbox in {}; was it moved?",
                              layout.state().string(), json.at("directory").get<std::string>());
    State state;
    state.phase = phase_of(json.at("phase"));
    state.created_directory = json.at("created_directory");
    state.token = json.at("token");
    state.fsid = json.at("fsid");
    state.created = json.at("created");
    state.up_seconds = json.at("up_seconds");
    state.ports.base = json.at("base_port");
    state.options.dir = layout.dir;
    state.options.osds = json.at("osds");
    state.options.hosts = json.at("hosts");
    state.options.osd_bytes = json.at("osd_bytes");
    state.options.rgw = json.at("rgw");
    state.options.osd_environment = json.at("osd_environment").get<Environment>();
    if (json.contains("s3")) {
      const OrderedJson& s3 = json.at("s3");
      state.s3 = S3User{s3.at("endpoint"), s3.at("user"), s3.at("access_key"), s3.at("secret_key")};
    }
    for (const OrderedJson& daemon : json.at("daemons"))
      state.daemons.push_back(daemon_from_json(daemon));
    return state;
  } catch (const OrderedJson::exception& e) {
    throw environment_error("{}: damaged: {}", layout.state().string(), e.what());
  }
}

void save(const State& state, const Layout& layout) {
  write_file_atomically(layout.state(), to_json(state, layout).dump(2) + "\n", 0600);
}

std::optional<State> load(const Layout& layout) {
  std::error_code error;
  if (!fs::exists(layout.state(), error)) return {};
  std::string text = read_file(layout.state());
  OrderedJson json = OrderedJson::parse(text, nullptr, false);
  if (json.is_discarded())
    throw environment_error("{}: damaged: no JSON; it may not be of lab", layout.state().string());
  return state_from_json(json, layout);
}

}  // namespace lab::sandbox
