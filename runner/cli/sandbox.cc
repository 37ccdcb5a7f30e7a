// lab sandbox up|down|status
#include "runner/sandbox/sandbox.h"

#include <unistd.h>

#include <cstdio>

#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/ceph/health.h"
#include "runner/cli/commands.h"
#include "runner/tuning/journal.h"

namespace lab::cli {
namespace {

struct Arguments {
  sandbox::Options options;
  std::string dir;
  std::string osd_size = "6G";
  std::vector<std::string> osd_environment;
  bool no_rgw = false;
  std::string format = "table";
};

void log(const std::string& line) { std::fputs(("sandbox: " + line + "\n").c_str(), stderr); }

void print_access(const sandbox::Sandbox& sandbox) {
  fmt::print("conf     {}\n", sandbox.layout().conf().string());
  fmt::print("keyring  {}\n", sandbox.layout().keyring().string());
  if (const auto& s3 = sandbox.state().s3)
    fmt::print("s3       {} user {} access key {} (secret key: \"s3\" in {})\n", s3->endpoint,
               s3->user, s3->access_key, sandbox.layout().state().string());
}

Exit up(Arguments arguments) {
  catch_interrupts();
  std::optional<uint64_t> bytes = parse_bytes(arguments.osd_size);
  if (!bytes) throw usage_error("--osd-size={}: no size; write for example 6G", arguments.osd_size);
  // BlueStore wants whole blocks.
  arguments.options.osd_bytes = *bytes & ~uint64_t{0xfffff};
  arguments.options.dir = arguments.dir;
  arguments.options.rgw = !arguments.no_rgw;
  for (const std::string& text : arguments.osd_environment)
    arguments.options.osd_environment.insert(sandbox::parse_environment(text));
  sandbox::Sandbox sandbox = sandbox::Sandbox::up(arguments.options, log);
  if (sandbox.started_now())
    log(fmt::format("up in {:.1f} s", sandbox.state().up_seconds));
  else
    log(fmt::format("it is running already: {} OSDs of {}, {} gateway",
                    sandbox.state().options.osds, format_bytes(sandbox.state().options.osd_bytes),
                    sandbox.state().options.rgw ? "with" : "without"));
  print_access(sandbox);
  return Exit::ok;
}

Exit down(const Arguments& arguments) {
  catch_interrupts();
  const std::optional<sandbox::Sandbox> found = sandbox::Sandbox::find(arguments.dir);
  if (found)
    if (const auto changes = read_journal(journal_path(found->state().fsid)))
      for (const Undo& undo : changes->undos)
        if (undo.knob.kind == KnobKind::sysctl)
          throw environment_error(
              "a lab has changed {} of this host and not put it back: `lab restore` "
              "first, while the sandbox is there",
              describe(undo.knob));
  if (sandbox::Sandbox::down(arguments.dir, log)) {
    // What a lab has changed on it has gone with it.
    if (found) fs::remove(journal_path(found->state().fsid));
    log("down: no process and no file of it is left");
  } else {
    log("there is none; nothing to do");
  }
  return Exit::ok;
}

// Asks the cluster, but a sandbox that is half dead is no reason to fail.
std::string health_text(const sandbox::Sandbox& sandbox, Json* json) {
  try {
    auto cluster = ceph::Cluster::connect(sandbox.access(), std::chrono::seconds(5));
    ceph::Activity activity = ceph::read_activity(*cluster);
    Json pgs = Json::object();
    for (const auto& [state, count] : activity.pgs.by_state) pgs[state] = count;
    *json = {
        {"status", activity.health.status}, {"reasons", activity.health.reasons}, {"pgs", pgs}};
    std::string text = activity.health.status;
    for (const std::string& reason : activity.health.reasons) text += "\n         " + reason;
    return text;
  } catch (const Error& e) {
    *json = {{"status", "unknown"}, {"reasons", {e.what()}}, {"pgs", Json::object()}};
    return fmt::format("unknown: {}", e.what());
  }
}

Exit status(const Arguments& arguments) {
  std::optional<sandbox::Sandbox> found = sandbox::Sandbox::find(arguments.dir);
  if (!found) {
    if (arguments.format == "json")
      fmt::print("{}\n",
                 OrderedJson{{"running", false}, {"daemons", OrderedJson::array()}}.dump(2));
    log("there is none (`lab sandbox up` starts one)");
    return Exit::environment;
  }
  Json health;
  bool running = found->all_running();
  std::string text = running || found->daemons().front().running ? health_text(*found, &health)
                                                                 : "unknown: the monitor is down";
  if (arguments.format == "json") {
    OrderedJson daemons = OrderedJson::array();
    for (const sandbox::DaemonStatus& daemon : found->daemons())
      daemons.push_back({{"name", daemon.name},
                         {"pid", daemon.process.pid},
                         {"start_ticks", daemon.process.start_ticks},
                         {"running", daemon.running},
                         {"stopped_on_purpose", !daemon.wanted},
                         {"port", daemon.port},
                         {"resident_bytes", daemon.resident_bytes}});
    OrderedJson out = {{"running", running},
                       {"directory", found->layout().dir.string()},
                       {"conf", found->layout().conf().string()},
                       {"keyring", found->layout().keyring().string()},
                       {"fsid", found->state().fsid},
                       {"up_seconds", found->state().up_seconds},
                       {"health", health}};
    if (const auto& s3 = found->state().s3)
      out["s3"] = {{"endpoint", s3->endpoint}, {"user", s3->user}, {"access_key", s3->access_key}};
    out["daemons"] = daemons;
    fmt::print("{}\n", out.dump(2));
    return running ? Exit::ok : Exit::environment;
  }
  fmt::print("{:<8} {:>8} {:<8} {:>6} {:>10}\n", "daemon", "pid", "state", "port", "RSS");
  for (const sandbox::DaemonStatus& daemon : found->daemons())
    fmt::print("{:<8} {:>8} {:<8} {:>6} {:>10}\n", daemon.name, daemon.process.pid,
               daemon.running ? "running" : (daemon.wanted ? "DOWN" : "stopped"), daemon.port,
               daemon.running ? format_bytes(daemon.resident_bytes) : "-");
  fmt::print("health   {}\n", text);
  print_access(*found);
  return running ? Exit::ok : Exit::environment;
}

}  // namespace

void add_sandbox(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* sandbox = app.add_subcommand(
      "sandbox", "A real Ceph cluster on this machine's loopback, to try things on.");
  sandbox->require_subcommand(1);
  auto add_dir = [&](CLI::App* command) {
    command->add_option("--dir", arguments->dir,
                        "Where it lives (default: $LAB_SANDBOX_DIR or /var/tmp/lab-sandbox-UID)");
  };

  CLI::App* up_command = sandbox->add_subcommand("up", "Start it (or find it running).");
  add_dir(up_command);
  up_command->add_option("--osds", arguments->options.osds, "Number of OSDs")
      ->capture_default_str();
  up_command
      ->add_option("--hosts", arguments->options.hosts,
                   "Hosts of the CRUSH map that the OSDs are under (all of them this machine); "
                   "with several, copies lie on different hosts")
      ->capture_default_str();
  up_command->add_option("--osd-size", arguments->osd_size, "Size of each OSD's preallocated file")
      ->capture_default_str();
  up_command->add_flag("--no-rgw", arguments->no_rgw, "Without radosgw: faster");
  up_command
      ->add_option("--osd-env", arguments->osd_environment,
                   "NAME=VALUE for the environment of every OSD; may be repeated")
      ->take_all();
  up_command->callback([=, &action] { action = [=] { return up(*arguments); }; });

  CLI::App* down_command = sandbox->add_subcommand("down", "End its daemons and remove its files.");
  add_dir(down_command);
  down_command->callback([=, &action] { action = [=] { return down(*arguments); }; });

  CLI::App* status_command = sandbox->add_subcommand(
      "status", "Its daemons and its health; exit status 3 if one is down.");
  add_dir(status_command);
  status_command->add_option("--format", arguments->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  status_command->callback([=, &action] { action = [=] { return status(*arguments); }; });
}

}  // namespace lab::cli
