#include "runner/daemons/drop_in.h"

#include <algorithm>

#include "runner/base/error.h"
#include "runner/base/fail_point.h"
#include "runner/base/json.h"

namespace lab::daemons {
namespace {

// After most names that operators give theirs: the last drop-in holds.
constexpr const char* kName = "zz-lab";
constexpr std::string_view kHead = "# Written by lab for a measurement; `lab restore` removes it: ";

// A word of a command as the manager reads it again. A dollar sign stays what it was in the unit.
std::string quoted(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '%') text += '%';
    text += c;
  }
  return text + '"';
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw environment_error("{}: cannot be removed: {}", path.string(), error.message());
}

// With what a write that was cut off has left of it.
void remove_whole(const fs::path& path) {
  remove_file(path);
  remove_file(fs::path(path) += ".tmp");
}

OrderedJson to_json(const std::optional<std::string>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

std::optional<std::string> optional_text(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<std::string>());
}

OrderedJson to_json(const Addition& addition) {
  OrderedJson variables = OrderedJson::object();
  for (const auto& [name, variable] : addition.variables)
    variables[name] = {{"value", to_json(variable.value)}, {"found", to_json(variable.found)}};
  return {{"variables", variables},
          {"command", addition.command},
          {"found_program", addition.found_program}};
}

Addition addition_from(const Json& data) {
  Addition addition;
  for (const auto& [name, variable] : data.at("variables").items())
    addition.variables[name] = {optional_text(variable.at("value")),
                                optional_text(variable.at("found"))};
  addition.command = data.at("command").get<std::vector<std::string>>();
  addition.found_program = data.at("found_program").get<std::string>();
  return addition;
}

bool sets_any(const Addition& addition) {
  return std::any_of(addition.variables.begin(), addition.variables.end(),
                     [](const auto& variable) { return variable.second.value.has_value(); });
}

}  // namespace

std::string drop_in_text(const Addition& addition, const fs::path& variables) {
  std::string text = fmt::format("{}{}\n[Service]\n", kHead, json_line(to_json(addition)));
  // Also startable without the file, where a lab that was killed has left this one alone.
  if (sets_any(addition)) text += fmt::format("EnvironmentFile=-{}\n", variables.string());
  for (const auto& [name, variable] : addition.variables)
    if (!variable.value) text += "UnsetEnvironment=" + name + "\n";
  if (!addition.command.empty()) {
    text += "ExecStart=\nExecStart=";
    for (size_t i = 0; i < addition.command.size(); ++i)
      text += (i ? " " : "") + quoted(addition.command[i]);
    text += '\n';
  }
  return text;
}

DropIn::DropIn(const fs::path& root, const std::string& unit) : directory_(root / (unit + ".d")) {}

fs::path DropIn::configuration() const { return directory_ / fmt::format("{}.conf", kName); }
fs::path DropIn::variables() const { return directory_ / fmt::format("{}.env", kName); }

Addition DropIn::read() const {
  const fs::path path = configuration();
  std::error_code absent;
  if (!fs::exists(path, absent)) return {};
  const std::string text = read_file(path);
  if (!text.starts_with(kHead))
    throw environment_error("{}: lab's file for this unit, but not written by lab: move it away",
                            path.string());
  const size_t end = text.find('\n');
  try {
    return addition_from(Json::parse(text.substr(kHead.size(), end - kHead.size())));
  } catch (const Json::exception& e) {
    throw environment_error("{}: was changed since lab wrote it: {}", path.string(), e.what());
  }
}

void DropIn::write(const Addition& addition) const {
  // Values are the business of root and the daemon.
  constexpr unsigned mode = 0600;
  if (!addition.empty()) make_directories(directory_);
  if (sets_any(addition)) {
    std::string lines;
    for (const auto& [name, variable] : addition.variables)
      if (variable.value) lines += environment_line(name, *variable.value);
    write_file_atomically(variables(), lines, mode);
    fail_point("unit's variables written");
  }
  if (addition.empty())
    remove_whole(configuration());
  else
    write_file_atomically(configuration(), drop_in_text(addition, variables()), mode);
  fail_point("unit's drop-in written");
  if (!sets_any(addition)) remove_whole(variables());
  std::error_code error;
  if (addition.empty() && fs::is_empty(directory_, error) && !error) remove_file(directory_);
}

}  // namespace lab::daemons
