#include "runner/rollout/permanent.h"

#include <map>
#include <optional>

#include "runner/base/json.h"
#include "runner/base/text.h"

namespace lab::rollout {
namespace {

// In single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + "'";
}

// In double quotes of YAML.
std::string yaml(const std::string& text) { return Json(text).dump(); }

// Units of the daemons that a scope means: "osd" all OSDs of a host, "osd.3" that one.
std::string unit_of(const std::string& scope) {
  const size_t dot = scope.find('.');
  const std::string kind = scope.substr(0, dot);
  const std::string name = kind == "rgw" ? "ceph-radosgw" : "ceph-" + kind;
  if (dot == std::string::npos) return name + "@.service";
  return fmt::format("{}@{}.service", name, kind == "rgw" ? scope : scope.substr(dot + 1));
}

std::string restart_of(const std::string& scope) {
  const std::string unit = unit_of(scope);
  return unit.find("@.") == std::string::npos ? unit : unit.substr(0, unit.find('@')) + ".target";
}

// What a level comes down to, for each scope of daemons.
struct Change {
  std::map<std::string, OptionalValues> environments;
  std::map<std::string, OptionalValues> config;
  OptionalValues client;
  std::map<std::string, std::string> sysctls;
  std::vector<std::string> by_others;  // what a file or a package makes, in words
};

struct Collect {
  Change& change;
  const std::function<fs::path(const std::string&)>& find_library;

  void operator()(const ConfigOptions& s) const {
    for (const auto& [option, value] : s.options) change.config[s.who][option] = value;
  }
  void operator()(const ProcessEnvironment& s) const {
    for (const auto& [variable, value] : s.variables)
      change.environments[s.scope][variable] = value;
  }
  void operator()(const AllocatorChoice& s) const {
    std::optional<std::string>& preload = change.environments[s.scope]["LD_PRELOAD"];
    if (s.allocator == "as-linked")
      preload.reset();
    else
      preload = find_library(s.allocator).string();
  }
  void operator()(const DaemonProgram& s) const {
    change.by_others.push_back(
        fmt::format("install the package that has {} as {}", s.program, s.scope));
  }
  void operator()(const KernelParameters& s) const {
    change.sysctls.insert(s.parameters.begin(), s.parameters.end());
  }
  void operator()(const ClientOptions& s) const {
    for (const auto& [option, value] : s.options) change.client[option] = value;
  }
  void operator()(const CacheMode& s) const {
    change.by_others.push_back(fmt::format(
        "set librbd's cache to {} in the clients (docs/engine-options.md has its options)",
        s.mode));
  }
  void operator()(const JobOptions&) const {}  // of the measurement, not of the cluster
};

std::string environment_by_hand(const std::string& scope, const OptionalValues& variables) {
  const std::string file =
      fmt::format("/etc/systemd/system/{}.d/zz-allocator.conf", unit_of(scope));
  std::string set;
  std::string unset;
  for (const auto& [variable, value] : variables)
    if (value)
      set += fmt::format("{}={}\n", variable, *value);
    else
      unset += " " + variable;
  std::string text = fmt::format("# environment of {}, on each host\n", scope);
  // A variable of an EnvironmentFile holds against Environment=, and the packages' units read one.
  if (!set.empty())
    text += fmt::format(
        "# either for all daemons of the host: these lines in /etc/default/ceph (Debian, Ubuntu)\n"
        "# or /etc/sysconfig/ceph (RHEL, SUSE), in the place of others with the same names\n{}"
        "# or for {} alone:\nmkdir -p {}\ncat >{} <<'END'\n[Service]\n"
        "EnvironmentFile=/etc/ceph/{}.env\nEND\ncat >/etc/ceph/{}.env <<'END'\n{}END\n",
        "#   " + join(split(std::string(trim(set)), '\n'), "\n#   ") + "\n", scope,
        quoted(fs::path(file).parent_path().string()), quoted(file), scope, scope, set);
  if (!unset.empty())
    text += fmt::format(
        "# {} shall run without{}: take the lines away from /etc/default/ceph or "
        "/etc/sysconfig/ceph\n",
        scope, unset);
  text += fmt::format(
      "systemctl daemon-reload\nceph osd set noout\nsystemctl restart {}\n"
      "# wait until `ceph pg stat` says that all are active+clean, then\nceph osd unset noout\n",
      restart_of(scope));
  if (const auto preload = variables.find("LD_PRELOAD");
      preload != variables.end() && preload->second)
    text += fmt::format(
        "# proof: every process maps it (ld.so only warns when it skips a preload)\n"
        "for pid in $(systemctl show --property MainPID --value '{}'); do\n"
        "  [ \"$pid\" = 0 ] || grep -q {} \"/proc/$pid/maps\" || echo \"$pid runs without it\"\n"
        "done\n",
        restart_of(scope).ends_with(".target")
            ? unit_of(scope).substr(0, unit_of(scope).find('@')) + "@*"
            : unit_of(scope),
        quoted(fs::path(*preload->second).filename().string()));
  return text;
}

std::string config_by_hand(const std::string& who, const OptionalValues& options) {
  std::string text;
  for (const auto& [option, value] : options)
    if (builds_on_found(value))
      text += fmt::format(
          "# {} of {}: \"{}\", where {{found}} is what each daemon has now (`ceph config show`)\n",
          option, who, *value);
    else
      text += value ? fmt::format("ceph config set {} {} {}\n", quoted(who), option, quoted(*value))
                    : fmt::format("ceph config rm {} {}\n", quoted(who), option);
  return text;
}

// Of daemons for whom options were configured that act at their start.
std::string restart_by_hand(const std::string& who) {
  return fmt::format(
      "# it acts when {} is started anew: on each host, one failure domain at a time\n"
      "ceph osd set noout\nsystemctl restart {}\n"
      "# wait until `ceph pg stat` says that all are active+clean, then\nceph osd unset noout\n",
      who,
      who.starts_with("osd") || who.starts_with("mon") || who.starts_with("mgr")
          ? restart_of(who.substr(0, who.find('/')))
      : who.starts_with("client.rgw") || who == "rgw" ? "ceph-radosgw.target"
                                                      : "ceph.target");
}

std::string by_hand(const Change& change, bool restart) {
  std::string text;
  for (const std::string& words : change.by_others) text += "# " + words + "\n";
  for (const auto& [who, options] : change.config) {
    text += config_by_hand(who, options);
    if (restart) text += restart_by_hand(who);
  }
  for (const auto& [scope, variables] : change.environments)
    text += environment_by_hand(scope, variables);
  if (!change.client.empty()) text += "# in [client] of the clients' ceph.conf\n";
  for (const auto& [option, value] : change.client)
    if (value) text += fmt::format("#   {} = {}\n", option, *value);
  for (const auto& [name, value] : change.sysctls)
    text += fmt::format("echo {} >>/etc/sysctl.d/90-ceph.conf\n", quoted(name + " = " + value));
  if (!change.sysctls.empty()) text += "sysctl --system\n";
  return text;
}

std::string ansible(const Change& change) {
  std::string text;
  if (!change.config.empty() || !change.client.empty())
    text +=
        "# group_vars/all.yml of ceph-ansible; sections as in ceph.conf\nceph_conf_overrides:\n";
  for (const auto& [who, options] : change.config) {
    text += fmt::format("  {}:\n", yaml(who));
    for (const auto& [option, value] : options)
      if (value) text += fmt::format("    {}: {}\n", option, yaml(*value));
  }
  if (!change.client.empty()) text += "  client:\n";
  for (const auto& [option, value] : change.client)
    if (value) text += fmt::format("    {}: {}\n", option, yaml(*value));
  for (const auto& [scope, variables] : change.environments) {
    text += fmt::format(
        "# a play of your own for the hosts of {}, with serial: 1, noout set before and unset "
        "after\n",
        scope);
    for (const auto& [variable, value] : variables) {
      // The one variable of them that ceph-ansible knows by itself.
      if (variable == "TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES" && value)
        text += fmt::format(
            "# or in group_vars/all.yml: ceph_tcmalloc_max_total_thread_cache: {}\n", *value);
      text += fmt::format(
          "- ansible.builtin.lineinfile:\n"
          "    path: \"{{{{ '/etc/default/ceph' if ansible_facts['os_family'] == 'Debian' else "
          "'/etc/sysconfig/ceph' }}}}\"\n"
          "    regexp: {}\n",
          yaml("^" + variable + "="));
      text += value ? fmt::format("    line: {}\n    create: true\n", yaml(variable + "=" + *value))
                    : "    state: absent\n";
    }
    text += fmt::format("- ansible.builtin.systemd:\n    name: {}\n    state: restarted\n",
                        yaml(restart_of(scope)));
  }
  for (const auto& [name, value] : change.sysctls)
    text += fmt::format("- ansible.posix.sysctl:\n    name: {}\n    value: {}\n", yaml(name),
                        yaml(value));
  return text;
}

}  // namespace

Permanent make_permanent(const std::vector<Setting>& settings, bool restart,
                         const std::function<fs::path(const std::string&)>& find_library) {
  Change change;
  for (const Setting& setting : settings) std::visit(Collect{change, find_library}, setting);
  return {by_hand(change, restart), ansible(change)};
}

}  // namespace lab::rollout
