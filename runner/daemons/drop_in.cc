#include "runner/daemons/drop_in.h"

#include "runner/base/error.h"
#include "runner/base/fail_point.h"
#include "runner/base/json.h"

namespace lab::daemons {
namespace {

// After all that operators name theirs: the last drop-in holds.
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

std::vector<fs::path> own_files(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
    if (entry.path().filename().string().starts_with(kName)) files.push_back(entry.path());
  return files;
}

}  // namespace

std::string drop_in_text(const Addition& addition, const fs::path& variables) {
  const OrderedJson data = {{"set", addition.set},
                            {"unset", addition.unset},
                            {"command", addition.command},
                            {"found_program", addition.found_program}};
  std::string text = fmt::format("{}{}\n[Service]\n", kHead, data.dump());
  if (!addition.set.empty()) text += fmt::format("EnvironmentFile={}\n", variables.string());
  for (const std::string& name : addition.unset) text += "UnsetEnvironment=" + name + "\n";
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
  Addition addition;
  const fs::path path = configuration();
  if (!fs::exists(path)) return addition;
  const std::string text = read_file(path);
  if (!text.starts_with(kHead))
    throw environment_error("{}: lab's file for this unit, but not written by lab: move it away",
                            path.string());
  const size_t end = text.find('\n');
  try {
    const Json data = Json::parse(text.substr(kHead.size(), end - kHead.size()));
    addition.set = data.at("set").get<Environment>();
    addition.unset = data.at("unset").get<std::set<std::string>>();
    addition.command = data.at("command").get<std::vector<std::string>>();
    addition.found_program = data.at("found_program").get<std::string>();
  } catch (const Json::exception& e) {
    throw environment_error("{}: was changed since lab wrote it: {}", path.string(), e.what());
  }
  return addition;
}

void DropIn::write(const Addition& addition) const {
  if (!addition.set.empty()) {
    make_directories(directory_);
    std::string lines;
    for (const auto& [name, value] : addition.set) lines += environment_line(name, value);
    // Nobody but root has to know what stands there.
    write_file_atomically(variables(), lines, 0600);
    fail_point("unit's variables written");
  }
  if (!addition.empty()) {
    make_directories(directory_);
    write_file_atomically(configuration(), drop_in_text(addition, variables()));
  } else {
    remove_file(configuration());
  }
  fail_point("unit's drop-in written");
  if (addition.set.empty()) remove_file(variables());
  if (!addition.empty()) return;
  // Also what a write that was cut off has left.
  for (const fs::path& path : own_files(directory_)) remove_file(path);
  std::error_code error;
  if (fs::is_empty(directory_, error) && !error) remove_file(directory_);
}

}  // namespace lab::daemons
