#include "runner/daemons/unit.h"

#include <glob.h>

#include <algorithm>
#include <set>

#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/process.h"

namespace lab::daemons {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr const char* kManager = "org.freedesktop.systemd1";

Json call(const std::string& object, const std::string& interface, const std::string& method,
          const std::vector<std::string>& arguments) {
  Command command;
  command.argv = {"busctl", "--system", "--json=short", "call",
                  kManager, object,     interface,      method};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  const std::string answer = run_checked(command, kPatience);
  try {
    return Json::parse(answer).at("data");
  } catch (const Json::exception& e) {
    throw environment_error("busctl has answered what is no result of {}: {}", method, e.what());
  }
}

Json call_manager(const std::string& method, const std::vector<std::string>& arguments) {
  return call("/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", method, arguments);
}

std::vector<std::string> files_of(const Unit::File& file, const Unit& unit) {
  glob_t found{};
  const int status = glob(file.path.c_str(), 0, nullptr, &found);
  std::vector<std::string> paths;
  if (status == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (paths.empty() && !file.optional)
    throw environment_error("{}: its EnvironmentFile {} is not there", unit.name, file.path);
  return paths;
}

void add(Environment& environment, const std::string& assignment) {
  const size_t equals = assignment.find('=');
  if (equals != std::string::npos)
    environment[assignment.substr(0, equals)] = assignment.substr(equals + 1);
}

// A property of the manager that is a list of texts.
std::vector<std::string> managers_texts(const char* property) {
  const Json answer = call("/org/freedesktop/systemd1", "org.freedesktop.DBus.Properties", "Get",
                           {"ss", "org.freedesktop.systemd1.Manager", property});
  try {
    return answer.at(0).at("data").get<std::vector<std::string>>();
  } catch (const Json::exception& e) {
    throw environment_error("the manager's {} is no list of texts: {}", property, e.what());
  }
}

// "ceph-osd@0.service.d", "ceph-osd@.service.d", "ceph-.service.d", "service.d".
std::vector<std::string> drop_in_directories(const std::string& unit) {
  const size_t dot = unit.rfind('.');
  const std::string type = unit.substr(dot);
  std::string stem = unit.substr(0, dot);
  std::vector<std::string> names = {stem + type + ".d", type.substr(1) + ".d"};
  const size_t at = stem.find('@');
  if (at != std::string::npos) {
    stem.resize(at);
    names.push_back(stem + "@" + type + ".d");
  }
  for (size_t dash = stem.find('-'); dash != std::string::npos; dash = stem.find('-', dash + 1))
    names.push_back(stem.substr(0, dash + 1) + type + ".d");
  return names;
}

}  // namespace

void check_systemd() {
  if (!fs::exists("/run/systemd/system"))
    throw environment_error(
        "this host was not booted with systemd, so it starts no daemons here: leave "
        "\"daemons\" out of the inventory, or run lab on the host of the daemons");
  if (find_program("busctl").empty())
    throw environment_error("there is no busctl, which the package systemd has");
}

Unit parse_unit(const std::string& name, const Json& answer) {
  const auto property = [&](const char* key) -> const Json& {
    const auto found = answer.find(key);
    if (found == answer.end() || !found->contains("data"))
      throw environment_error("{}: the manager says nothing of its {}", name, key);
    return found->at("data");
  };
  Unit unit;
  unit.name = name;
  try {
    unit.loaded = property("LoadState").get<std::string>();
    unit.active = property("ActiveState").get<std::string>();
    unit.result = property("Result").get<std::string>();
    unit.pid = property("MainPID").get<pid_t>();
    unit.needs_reload = property("NeedDaemonReload").get<bool>();
    unit.drop_ins = property("DropInPaths").get<std::vector<std::string>>();
    unit.environment = property("Environment").get<std::vector<std::string>>();
    unit.unset_environment = property("UnsetEnvironment").get<std::vector<std::string>>();
    for (const Json& file : property("EnvironmentFiles"))
      unit.environment_files.push_back({file.at(0).get<std::string>(), file.at(1).get<bool>()});
    for (const Json& byte : property("InvocationID"))
      unit.invocation += fmt::format("{:02x}", byte.get<unsigned>());
    for (const Json& start : property("ExecStartEx")) {
      auto words = start.at(1).get<std::vector<std::string>>();
      if (words.empty()) words.emplace_back();
      words[0] = start.at(0).get<std::string>();
      unit.starts.push_back({std::move(words), start.at(2).get<std::vector<std::string>>()});
    }
  } catch (const Json::exception& e) {
    throw environment_error("{}: the manager describes it in a way that lab doesn't know: {}", name,
                            e.what());
  }
  return unit;
}

Unit read_unit(const std::string& name) {
  const Json object = call_manager("LoadUnit", {"s", name});
  if (!object.is_array() || object.empty() || !object[0].is_string())
    throw environment_error("{}: the manager names no object of it", name);
  const Json answer =
      call(object[0].get<std::string>(), "org.freedesktop.DBus.Properties", "GetAll", {"s", ""});
  if (!answer.is_array() || answer.empty() || !answer[0].is_object())
    throw environment_error("{}: the manager does not describe it", name);
  return parse_unit(name, answer[0]);
}

std::vector<std::string> loaded_units(const std::vector<std::string>& patterns) {
  std::vector<std::string> arguments = {"asas", "0", std::to_string(patterns.size())};
  arguments.insert(arguments.end(), patterns.begin(), patterns.end());
  std::vector<std::string> names;
  const Json units = call_manager("ListUnitsByPatterns", arguments);
  try {
    for (const Json& unit : units.at(0)) names.push_back(unit.at(0).get<std::string>());
  } catch (const Json::exception& e) {
    throw environment_error("the manager lists its units in a way that lab doesn't know: {}",
                            e.what());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Environment managers_environment() {
  Environment environment;
  for (const std::string& assignment : managers_texts("Environment")) add(environment, assignment);
  return environment;
}

std::vector<std::string> unit_directories() { return managers_texts("UnitPath"); }

std::vector<fs::path> unread_drop_ins(const Unit& unit,
                                      const std::vector<std::string>& directories) {
  // A file of the same name in a directory that comes earlier takes the place of one, and a link to
  // nowhere leaves none.
  std::set<std::string> known;
  for (const std::string& path : unit.drop_ins) known.insert(fs::path(path).filename());
  std::vector<fs::path> unread;
  for (const std::string& directory : directories)
    for (const std::string& name : drop_in_directories(unit.name)) {
      std::error_code error;
      for (const fs::directory_entry& entry :
           fs::directory_iterator(fs::path(directory) / name, error)) {
        const fs::path& path = entry.path();
        if (path.extension() != ".conf" || !known.insert(path.filename()).second) continue;
        if (fs::weakly_canonical(path, error) != "/dev/null") unread.push_back(path);
      }
    }
  return unread;
}

Environment next_environment(const Unit& unit, const Environment& managers,
                             const std::string& except) {
  Environment environment = managers;
  for (const std::string& assignment : unit.environment) add(environment, assignment);
  for (const Unit::File& file : unit.environment_files) {
    if (file.path == except) continue;
    for (const std::string& path : files_of(file, unit))
      for (const auto& [name, value] : parse_environment_file(read_file(path)))
        environment[name] = value;
  }
  for (const std::string& unset : unit.unset_environment) {
    const size_t equals = unset.find('=');
    const auto found = environment.find(unset.substr(0, equals));
    if (found == environment.end()) continue;
    if (equals == std::string::npos || found->second == unset.substr(equals + 1))
      environment.erase(found);
  }
  return environment;
}

}  // namespace lab::daemons
