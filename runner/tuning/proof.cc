#include "runner/tuning/proof.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include "runner/base/interrupt.h"
#include "runner/base/text.h"
#include "runner/ceph/same_value.h"
#include "runner/hosts/allocator.h"
#include "runner/hosts/find_library.h"
#include "runner/hosts/malloc_options.h"
#include "runner/hosts/package.h"
#include "runner/hosts/process_environment.h"
#include "runner/hosts/thread_cache.h"
#include "runner/tuning/daemon_name.h"
#include "runner/tuning/host_board.h"
#include "runner/tuning/running_options.h"
#include "runner/tuning/surroundings.h"

namespace lab {
namespace {

using results::SettingProof;

// What one daemon says.
struct Evidence {
  std::string effective;  // empty: it could not be read back
  std::string source;
  std::optional<bool> verified;
};

// One proof from many daemons: the first that contradicts stands for all.
SettingProof over_daemons(SettingProof proof, const std::vector<std::string>& daemons,
                          const std::function<Evidence(const std::string&)>& ask) {
  bool unknown = daemons.empty();
  bool first = true;
  for (const std::string& daemon : daemons) {
    const Evidence evidence = ask(daemon);
    const bool contradicts = evidence.verified.has_value() && !*evidence.verified;
    if (first || contradicts) {
      proof.effective = evidence.effective;
      proof.source = evidence.source;
    }
    first = false;
    if (contradicts) {
      proof.effective += " on " + daemon;
      proof.verified = false;
      return proof;
    }
    unknown = unknown || !evidence.verified;
  }
  if (!unknown) proof.verified = true;
  return proof;
}

std::string shown(const std::optional<std::string>& value) { return value.value_or("(not set)"); }

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

Evidence allocator_evidence(pid_t pid, const std::string& wanted, hosts::Packages& packages) {
  const hosts::Allocator found = hosts::read_allocator(pid);
  Evidence evidence;
  evidence.effective = found.name;
  if (!found.library.empty()) {
    if (const auto& package = packages.of(found.library))
      evidence.effective += fmt::format(" ({} {})", package->name, package->version);
    evidence.source = found.library.string();
  }
  if (wanted == "as-linked")
    evidence.verified = !found.preloaded;
  else if (fs::path(wanted).is_absolute())
    evidence.verified = found.preloaded && same_file(found.library, wanted);
  else
    evidence.verified = found.name == hosts::library_name(wanted);
  return evidence;
}

// Why the loader has not preloaded what it was asked for.
std::string why_skipped(pid_t pid, const std::string& wanted, const std::string& error_output) {
  // A unit may have a mount namespace of its own (ProtectHome, PrivateTmp, RootDirectory).
  const fs::path library = hosts::find_library(wanted);
  std::error_code error;
  if (!fs::exists(fmt::format("/proc/{}/root{}", pid, library.string()), error))
    return fmt::format("{} is not there for the process, whose mount namespace hides it",
                       library.string());
  for (const std::string& line : split(error_output, '\n'))
    if (line.find("from LD_PRELOAD cannot be preloaded") != std::string::npos)
      return std::string(trim(line));
  return "the loader has skipped the preloaded library, if it could not read it";
}

class Prover {
 public:
  Prover(ceph::Cluster& cluster, daemons::Driver* driver)
      : cluster_(cluster), driver_(driver), running_(cluster, driver) {}

  void operator()(const CacheMode&) const {}
  void operator()(const ClientOptions&) const {}
  void operator()(const JobOptions&) const {}

  void operator()(const ConfigOptions& s) {
    const std::vector<std::string> meant = running_.askable(s.who);
    for (const auto& [option, value] : s.options) {
      SettingProof proof;
      proof.name = fmt::format("{} {}", s.who, option);
      proof.asked = shown(value);
      proof.proof = "the running daemon's configuration";
      const std::string& key = option;
      const std::optional<std::string>& wanted = value;
      // The monitors tell a daemon of a change a moment later.
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      for (;;) {
        proofs_.push_back(over_daemons(proof, meant, [&](const std::string& daemon) {
          return option_of(daemon, key, wanted);
        }));
        if (proofs_.back().verified.value_or(true) || std::chrono::steady_clock::now() > deadline)
          break;
        proofs_.pop_back();
        interruptible_sleep(std::chrono::milliseconds(100));
      }
    }
  }

  void operator()(const ProcessEnvironment& s) {
    if (s.scope == "client") return;
    for (const auto& [variable, value] : s.variables) {
      SettingProof proof;
      proof.name = fmt::format("{} {}", s.scope, variable);
      proof.asked = shown(value);
      const std::string& name = variable;
      const std::optional<std::string>& wanted = value;
      const bool cache = variable == hosts::kThreadCacheVariable;
      proof.proof = cache ? "tcmalloc's limit in the memory of the process"
                          : "environment of the process, and what its allocator said at its start";
      proofs_.push_back(over_daemons(proof, scope(s.scope), [&](const std::string& daemon) {
        return cache ? thread_cache_of(daemon, wanted) : variable_of(daemon, name, wanted);
      }));
    }
  }

  void operator()(const AllocatorChoice& s) {
    if (s.scope == "client") return;
    SettingProof proof;
    proof.name = s.scope + " allocator";
    proof.asked = s.allocator;
    proof.proof = "/proc/PID/maps of the process";
    proofs_.push_back(over_daemons(proof, scope(s.scope), [&](const std::string& daemon) {
      return allocator_of(daemon, s.allocator);
    }));
  }

  void operator()(const DaemonProgram& s) {
    SettingProof proof;
    proof.name = s.scope + " program";
    proof.asked = s.program;
    proof.proof = "/proc/PID/exe";
    proofs_.push_back(over_daemons(proof, scope(s.scope), [&](const std::string& daemon) {
      std::error_code error;
      const fs::path running = fs::read_symlink(fmt::format("/proc/{}/exe", pid_of(daemon)), error);
      const fs::path wanted = fs::canonical(daemons::program_path(s.program), error);
      return Evidence{running.string(), "", !error && running == wanted};
    }));
  }

  void operator()(const KernelParameters& s) {
    HostBoard board;
    for (const auto& [name, value] : s.parameters) {
      const KnobValue now = board.read({KnobKind::sysctl, "", name});
      proofs_.push_back({name, value, shown(now), "", "/proc/sys", same_knob_value(now, value)});
    }
  }

  std::vector<SettingProof> take() { return std::move(proofs_); }

 private:
  std::vector<std::string> scope(const std::string& scope) const {
    return daemons_of_scope(scope, driver_ ? driver_->daemons() : std::vector<std::string>());
  }

  pid_t pid_of(const std::string& daemon) const {
    const std::optional<ProcessId> process = driver_->process(daemon);
    if (!process) throw environment_error("{} has ended", daemon);
    return process->pid;
  }

  std::string configured_for(const std::string& daemon, const std::string& option) {
    const Json value =
        cluster_.mon({{"prefix", "config get"}, {"who", entity_of(daemon)}, {"key", option}});
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  Evidence option_of(const std::string& daemon, const std::string& option,
                     const std::optional<std::string>& wanted) {
    const ceph::DaemonOption found = running_.read(daemon, option);
    Evidence evidence{found.value, found.source, {}};
    if (wanted) {
      evidence.verified = ceph::same_value(*wanted, found.value);
    } else if (found.source == "mon") {
      // Not set there: what the monitors have for it elsewhere, or what it had and keeps.
      evidence.verified = ceph::same_value(configured_for(daemon, option), found.value);
    } else {
      evidence.verified = true;
    }
    return evidence;
  }

  Evidence allocator_of(const std::string& daemon, const std::string& wanted) {
    const pid_t pid = pid_of(daemon);
    Evidence evidence = allocator_evidence(pid, wanted, packages_);
    if (!*evidence.verified && wanted != "as-linked")
      evidence.source += ": " + why_skipped(pid, wanted, driver_->error_output(daemon));
    return evidence;
  }

  Evidence thread_cache_of(const std::string& daemon, const std::optional<std::string>& wanted) {
    const auto found = hosts::read_thread_cache(pid_of(daemon));
    if (!found && !wanted) return variable_of(daemon, hosts::kThreadCacheVariable, wanted);
    if (!found) return {"none: the process has no tcmalloc of gperftools", "", false};
    const uint64_t expected = hosts::thread_cache_in_force(wanted);
    return {std::to_string(found->overall_bytes),
            fmt::format("{} for each thread", format_bytes(found->per_thread_bytes)),
            found->overall_bytes == expected};
  }

  Evidence variable_of(const std::string& daemon, const std::string& variable,
                       const std::optional<std::string>& wanted) {
    const std::map<std::string, std::string> environment = hosts::read_environ(pid_of(daemon));
    const auto found = environment.find(variable);
    const std::optional<std::string> now =
        found == environment.end() ? std::nullopt : std::optional(found->second);
    Evidence evidence{shown(now), "environment", now == wanted};
    if (!*evidence.verified) return evidence;
    if (variable.ends_with("MALLOC_CONF") || variable.starts_with("MIMALLOC_"))
      confirm(daemon, variable, wanted, evidence);
    return evidence;
  }

  // An allocator goes on with its defaults where it does not understand, so what it has printed
  // counts, not the variable.
  void confirm(const std::string& daemon, const std::string& variable,
               const std::optional<std::string>& wanted, Evidence& evidence) {
    if (!wanted) return;
    const hosts::MallocOptions said = hosts::parse_malloc_options(driver_->error_output(daemon));
    if (!said.complaints.empty()) {
      evidence.source = "the allocator complains: " + first_few(said.complaints, 3);
      evidence.verified = false;
      return;
    }
    for (const auto& [option, value] : hosts::asked_malloc_options(variable, *wanted)) {
      const auto found = said.options.find(option);
      if (found != said.options.end() && same_knob_value(found->second, value)) continue;
      evidence.source = fmt::format("the allocator has not said that {} is {}", option, value);
      if (found != said.options.end())
        evidence.verified = false;
      else
        evidence.verified.reset();
      return;
    }
    evidence.source = "confirmed by the allocator at its start";
  }

  ceph::Cluster& cluster_;
  daemons::Driver* driver_;
  RunningOptions running_;
  hosts::Packages packages_;
  std::vector<SettingProof> proofs_;
};

SettingProof prove_client_allocator(const AllocatorChoice& choice, pid_t pid) {
  SettingProof proof;
  proof.name = "client allocator";
  proof.asked = choice.allocator;
  proof.proof = "/proc/PID/maps of fio";
  try {
    hosts::Packages packages;
    const Evidence evidence = allocator_evidence(pid, choice.allocator, packages);
    proof.effective = evidence.effective;
    proof.source = evidence.source;
    proof.verified = evidence.verified;
  } catch (const Error&) {
    // It has ended: nothing is proven.
  }
  return proof;
}

std::optional<std::map<std::string, std::string>> environment_of(pid_t pid) {
  try {
    return hosts::read_environ(pid);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::vector<SettingProof> prove_client(const std::vector<Setting>& settings, pid_t pid) {
  std::vector<SettingProof> proofs;
  for (const Setting& setting : in_force(settings)) {
    if (const auto* choice = std::get_if<AllocatorChoice>(&setting)) {
      if (choice->scope == "client") proofs.push_back(prove_client_allocator(*choice, pid));
      continue;
    }
    const auto* environment = std::get_if<ProcessEnvironment>(&setting);
    if (!environment || environment->scope != "client") continue;
    const auto now = environment_of(pid);
    for (const auto& [variable, value] : environment->variables) {
      SettingProof proof;
      proof.name = "client " + variable;
      proof.asked = shown(value);
      proof.proof = "environment of fio";
      if (now) {
        const auto found = now->find(variable);
        const std::optional<std::string> effective =
            found == now->end() ? std::nullopt : std::optional(found->second);
        proof.effective = shown(effective);
        proof.verified = effective == value;
      }
      proofs.push_back(std::move(proof));
    }
  }
  return proofs;
}

std::vector<SettingProof> prove_settings(const std::vector<Setting>& settings,
                                         ceph::Cluster& cluster, daemons::Driver* driver) {
  Prover prover(cluster, driver);
  for (const Setting& setting : in_force(settings))
    std::visit([&](const auto& s) { prover(s); }, setting);
  return prover.take();
}

}  // namespace lab
