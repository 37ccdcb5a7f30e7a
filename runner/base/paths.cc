#include "runner/base/paths.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab {
namespace {

bool is_root(const fs::path& directory) {
  std::error_code ignored;
  return fs::is_directory(directory / "lib" / "lab", ignored) &&
         fs::is_directory(directory / "share" / "lab", ignored);
}

fs::path running_program() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error)
    throw environment_error(
        "/proc/self/exe: cannot read: {}; lab finds its engines and matrices by it, is /proc "
        "mounted?",
        error.message());
  return program;
}

}  // namespace

fs::path find_root(const fs::path& program) {
  fs::path directory = program.parent_path();
  std::string tried;
  for (int level = 0; level < 3; ++level) {
    if (is_root(directory)) return directory;
    tried += (tried.empty() ? "" : ", ") + directory.string();
    if (directory == directory.parent_path()) break;
    directory = directory.parent_path();
  }
  throw environment_error(
      "{} does not find its engines and matrices: none of {} has both lib/lab and share/lab. "
      "Run lab from its build directory, or install it with 'cmake --install build --prefix DIR'",
      program.string(), tried);
}

fs::path engine_dir() { return find_root(running_program()) / "lib" / "lab"; }

fs::path share_dir() { return find_root(running_program()) / "share" / "lab"; }

fs::path find_shipped(std::string_view option, std::string_view kind, const std::string& name,
                      const fs::path& directory) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) {
    if (fs::is_regular_file(name)) return name;
    throw usage_error("{}: no such file: {}", option, name);
  }
  fs::path path = directory / (name + ".json");
  if (fs::is_regular_file(path)) return path;
  std::vector<std::string> known;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored))
    if (entry.path().extension() == ".json") known.push_back(entry.path().stem().string());
  std::sort(known.begin(), known.end());
  std::string text = fmt::format("{}: there is no {} \"{}\"", option, kind, name);
  if (auto near = nearest(name, known)) text += fmt::format(" (did you mean \"{}\"?)", *near);
  throw usage_error("{}; {} has: {}", text, directory.string(), join(known, ", "));
}

}  // namespace lab
