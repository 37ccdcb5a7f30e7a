#include "runner/base/paths.h"

#include <string>
#include <system_error>

#include "runner/base/error.h"

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

}  // namespace lab
