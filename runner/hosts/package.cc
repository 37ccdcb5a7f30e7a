#include "runner/hosts/package.h"

#include <vector>

#include "runner/base/process.h"
#include "runner/base/text.h"

namespace lab::hosts {
namespace {

constexpr std::chrono::seconds kLimit{20};

std::optional<Package> ask_dpkg(const fs::path& file) {
  // Where /lib is a link to /usr/lib, files are mapped under the one name and some
  // packages list them under the other.
  std::vector<std::string> names = {file.string()};
  if (names[0].starts_with("/usr/"))
    names.push_back(names[0].substr(4));
  else
    names.push_back("/usr" + names[0]);
  for (const std::string& name : names) {
    Finished owner = run_command({.argv = {"dpkg-query", "-S", name}}, kLimit);
    std::string package = parse_dpkg_owner(owner.out);
    if (owner.status != 0 || package.empty()) continue;
    Finished version =
        run_command({.argv = {"dpkg-query", "-W", "-f=${Version}", package}}, kLimit);
    if (version.status == 0)
      return Package{package.substr(0, package.find(':')), std::string(trim(version.out))};
  }
  return {};
}

std::optional<Package> ask_rpm(const fs::path& file) {
  Finished answer = run_command(
      {.argv = {"rpm", "-qf", "--queryformat", "%{NAME} %{VERSION}-%{RELEASE}\n", file.string()}},
      kLimit);
  if (answer.status != 0) return {};
  std::vector<std::string> words = split(trim(answer.out.substr(0, answer.out.find('\n'))), ' ');
  if (words.size() != 2) return {};
  return Package{words[0], words[1]};
}

}  // namespace

std::string parse_dpkg_owner(std::string_view answer) {
  for (const std::string& line : split(answer, '\n')) {
    if (line.starts_with("diversion by ")) continue;
    size_t end = line.find(": ");
    if (end == std::string::npos) continue;
    // Several packages may share a directory or a file: "a, b: /path".
    std::string first = line.substr(0, std::min(end, line.find(", ")));
    return first;
  }
  return {};
}

std::optional<Package> package_of(const fs::path& file) {
  if (file.empty()) return {};
  std::optional<Package> found;
  if (!find_program("dpkg-query").empty()) found = ask_dpkg(file);
  if (!found && !find_program("rpm").empty()) found = ask_rpm(file);
  return found;
}

const std::optional<Package>& Packages::of(const fs::path& file) {
  auto at = known_.find(file);
  if (at == known_.end()) at = known_.emplace(file, package_of(file)).first;
  return at->second;
}

}  // namespace lab::hosts
