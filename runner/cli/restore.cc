// lab restore: what a lab left changed on a cluster is put back.
#include <cstdio>

#include "inventory/inventory.h"
#include "runner/base/interrupt.h"
#include "runner/base/paths.h"
#include "runner/cli/commands.h"
#include "runner/experiment/cluster_session.h"
#include "runner/tuning/cluster_tuning.h"

namespace lab::cli {
namespace {

void log(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

Exit restore(const std::string& inventory_file, const std::string& sandbox_dir) {
  catch_interrupts();
  const Inventory inventory =
      load_inventory(inventory_file.empty() ? share_dir() / "inventory" / "sandbox.json"
                                            : fs::path(inventory_file));
  ClusterSession session = ClusterSession::open_running(inventory, sandbox_dir, log);
  const std::string done = restore_cluster(session.cluster(), log);
  fmt::print("{}\n",
             done.empty() ? "nothing to put back: no lab has left this cluster changed" : done);
  return Exit::ok;
}

}  // namespace

void add_restore(CLI::App& app, Action& action) {
  struct State {
    std::string inventory;
    std::string sandbox_dir;
  };
  auto state = std::make_shared<State>();
  CLI::App* command = app.add_subcommand(
      "restore",
      "Put back what a lab that was killed has left changed on a cluster: it needs only the "
      "record that lies in the cluster, or this host's journal, and may be called again");
  command->add_option("--inventory", state->inventory,
                      "the cluster, a JSON file; without it the sandbox on loopback");
  command->add_option("--sandbox-dir", state->sandbox_dir, "directory of the sandbox");
  command->callback([state, &action] {
    action = [state] { return restore(state->inventory, state->sandbox_dir); };
  });
}

}  // namespace lab::cli
