#include "runner/daemons/sandbox_driver.h"

namespace lab::daemons {
std::vector<std::string> SandboxDriver::daemons() {
  std::vector<std::string> names;
  for (const sandbox::DaemonStatus& daemon : sandbox_.daemons()) names.push_back(daemon.name);
  return names;
}

Environment SandboxDriver::environment(const std::string& daemon) {
  return sandbox_.definition(daemon).environment;
}

void SandboxDriver::set_variable(const std::string& daemon, const std::string& variable,
                                 const std::optional<std::string>& value) {
  sandbox_.redefine(daemon, [&](sandbox::Daemon& definition) {
    if (value)
      definition.environment[variable] = *value;
    else
      definition.environment.erase(variable);
  });
}

std::string SandboxDriver::program(const std::string& daemon) {
  return sandbox_.definition(daemon).argv.at(0);
}

void SandboxDriver::set_program(const std::string& daemon, const std::string& program) {
  sandbox_.redefine(daemon, [&](sandbox::Daemon& definition) { definition.argv.at(0) = program; });
}

void SandboxDriver::restart(const std::string& daemon) { sandbox_.restart_daemon(daemon); }

void SandboxDriver::stop(const std::string& daemon) {
  sandbox_.stop_daemon(daemon, std::chrono::milliseconds(0));
}

void SandboxDriver::start(const std::string& daemon) { sandbox_.start_daemon(daemon); }

bool SandboxDriver::has_store(const std::string& daemon) { return sandbox_.has_store(daemon); }

void SandboxDriver::destroy_store(const std::string& daemon) { sandbox_.destroy_store(daemon); }

void SandboxDriver::make_store(const std::string& daemon) { sandbox_.make_store(daemon); }

std::optional<ProcessId> SandboxDriver::process(const std::string& daemon) {
  const ProcessId process = sandbox_.definition(daemon).process;
  if (!is_running(process)) return {};
  return process;
}

fs::path SandboxDriver::admin_socket(const std::string& daemon) {
  return sandbox_.layout().socket(daemon);
}

std::string SandboxDriver::error_output(const std::string& daemon) {
  const fs::path file = sandbox_.layout().error_output(daemon);
  if (!fs::exists(file)) return "";
  return last_output(read_file(file));
}

OrderedJson SandboxDriver::address() { return {{"sandbox", sandbox_.layout().dir.string()}}; }

}  // namespace lab::daemons
