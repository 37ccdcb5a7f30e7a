#include "runner/daemons/driver.h"

#include "runner/daemons/sandbox_driver.h"
#include "runner/daemons/systemd_driver.h"

namespace lab::daemons {

fs::path program_path(const std::string& program) {
  return program.find('/') == std::string::npos ? find_program(program) : fs::path(program);
}

std::string last_output(std::string text) {
  constexpr size_t most = size_t{1} << 20;
  if (text.size() > most) text.erase(0, text.size() - most);
  return text;
}

std::unique_ptr<Driver> open_driver(const OrderedJson& address) {
  if (address.contains("sandbox")) {
    const fs::path directory = address.at("sandbox").get<std::string>();
    std::optional<sandbox::Sandbox> sandbox = sandbox::Sandbox::find(directory);
    if (!sandbox)
      throw environment_error("{}: there is no sandbox on this host any more", directory.string());
    return std::make_unique<SandboxDriver>(std::move(*sandbox));
  }
  if (address.contains("systemd"))
    return std::make_unique<SystemdDriver>(address.at("systemd").at("fsid").get<std::string>());
  throw environment_error("daemons of an unknown kind: {}", address.dump());
}

}  // namespace lab::daemons
