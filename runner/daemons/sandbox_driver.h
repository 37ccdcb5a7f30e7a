// The daemons of a sandbox.
#pragma once

#include "runner/daemons/driver.h"
#include "runner/sandbox/sandbox.h"

namespace lab::daemons {

class SandboxDriver : public Driver {
 public:
  explicit SandboxDriver(sandbox::Sandbox sandbox) : sandbox_(std::move(sandbox)) {}

  std::vector<std::string> daemons() override;
  Environment environment(const std::string& daemon) override;
  void set_variable(const std::string& daemon, const std::string& variable,
                    const std::optional<std::string>& value) override;
  std::string program(const std::string& daemon) override;
  void set_program(const std::string& daemon, const std::string& program) override;
  void check_settled(const std::string&) override {}  // nobody else has a hand in it
  void restart(const std::string& daemon) override;
  void stop(const std::string& daemon) override;
  void start(const std::string& daemon) override;
  bool makes_stores() const override { return true; }
  bool has_store(const std::string& daemon) override;
  void destroy_store(const std::string& daemon) override;
  void make_store(const std::string& daemon) override;
  std::optional<ProcessId> process(const std::string& daemon) override;
  fs::path admin_socket(const std::string& daemon) override;
  std::string error_output(const std::string& daemon) override;
  OrderedJson address() override;

 private:
  sandbox::Sandbox sandbox_;
};

}  // namespace lab::daemons
