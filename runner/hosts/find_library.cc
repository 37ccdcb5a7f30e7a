#include "runner/hosts/find_library.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <vector>

#include "runner/base/error.h"
#include "runner/base/process.h"
#include "runner/base/text.h"

namespace lab::hosts {
namespace {

struct Known {
  const char* level;
  const char* stem;
  const char* package;  // of Debian 12
};

constexpr std::array<Known, 5> kKnown = {{
    // Preloaded, it goes before an allocator that a program is linked with.
    {"glibc", "libc", "libc6"},
    {"tcmalloc", "libtcmalloc", "libgoogle-perftools4"},
    {"tcmalloc-minimal", "libtcmalloc_minimal", "libtcmalloc-minimal4"},
    {"jemalloc", "libjemalloc", "libjemalloc2"},
    {"mimalloc", "libmimalloc", "libmimalloc2.0"},
}};

// How ldconfig marks libraries for programs like this one, and where Debian has them.
#if defined(__x86_64__)
constexpr std::string_view kMark = "x86-64";
constexpr const char* kMultiarch = "x86_64-linux-gnu";
#elif defined(__aarch64__)
constexpr std::string_view kMark = "AArch64";
constexpr const char* kMultiarch = "aarch64-linux-gnu";
#else
constexpr std::string_view kMark = "64bit";
constexpr const char* kMultiarch = "";
#endif

// The numbers of "libmimalloc.so.2.0"; none if it isn't `stem`.so.N… .
std::optional<std::vector<unsigned>> version_of(std::string_view file, std::string_view stem) {
  const std::string head = std::string(stem) + ".so.";
  if (!file.starts_with(head)) return {};
  std::vector<unsigned> numbers;
  for (const std::string& part : split(file.substr(head.size()), '.')) {
    unsigned number = 0;
    auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc{} || end != part.data() + part.size()) return {};
    numbers.push_back(number);
  }
  return numbers;
}

// Keeps the file with the higher version; of two alike the first, and of libx.so.4 and
// libx.so.4.5 the shorter, which is the soname.
class Best {
 public:
  explicit Best(std::string_view stem) : stem_(stem) {}
  void offer(const fs::path& path) {
    std::optional<std::vector<unsigned>> version = version_of(path.filename().string(), stem_);
    if (!version) return;
    if (path_ && version->front() <= version_.front() &&
        (version->front() < version_.front() || version->size() >= version_.size()))
      return;
    path_ = path;
    version_ = *version;
  }
  const std::optional<fs::path>& path() const { return path_; }

 private:
  std::string stem_;
  std::optional<fs::path> path_;
  std::vector<unsigned> version_;
};

std::string ask_ldconfig() {
  // Not on the PATH of every user.
  fs::path program = find_program("ldconfig");
  if (program.empty()) program = "/sbin/ldconfig";
  std::error_code error;
  if (!fs::exists(program, error)) return {};
  return run_command({.argv = {program.string(), "-p"}}, std::chrono::seconds(20)).out;
}

std::optional<fs::path> library_in_directories(std::string_view stem) {
  for (const fs::path& root : {fs::path("/usr/lib"), fs::path("/lib"), fs::path("/usr/local/lib")})
    for (const fs::path& directory : {root / kMultiarch, fs::path(root.string() + "64"), root}) {
      Best best(stem);
      std::error_code error;
      for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
        if (entry.is_regular_file(error)) best.offer(entry.path());
      if (best.path()) return best.path();
    }
  return {};
}

// /lib is a link to /usr/lib: the loader's maps name the latter.
fs::path with_real_directory(const fs::path& path) {
  std::error_code error;
  const fs::path parent = fs::canonical(path.parent_path(), error);
  return error ? path : parent / path.filename();
}

std::vector<std::string> levels() {
  std::vector<std::string> all;
  all.reserve(kKnown.size());
  for (const Known& each : kKnown) all.emplace_back(each.level);
  return all;
}

fs::path named_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    throw environment_error("{}: no such library; name an existing file, or one of {}",
                            path.string(), join(levels(), ", "));
  return path;
}

}  // namespace

std::optional<fs::path> library_in_cache(std::string_view ldconfig_output, std::string_view stem) {
  Best best(stem);
  for (const std::string& line : split(ldconfig_output, '\n')) {
    // "\tlibjemalloc.so.2 (libc6,x86-64) => /lib/x86_64-linux-gnu/libjemalloc.so.2"
    const size_t arrow = line.find(") => ");
    const size_t open = line.find(" (");
    if (arrow == std::string::npos || open == std::string::npos || open > arrow) continue;
    const std::vector<std::string> marks = split(line.substr(open + 2, arrow - open - 2), ',');
    if (std::none_of(marks.begin(), marks.end(),
                     [](const std::string& mark) { return trim(mark) == kMark; }))
      continue;
    best.offer(line.substr(arrow + 5));
  }
  return best.path();
}

fs::path find_library(const std::string& level) {
  if (level.starts_with('/')) return named_file(level);
  const auto* known = std::find_if(kKnown.begin(), kKnown.end(),
                                   [&](const Known& each) { return each.level == level; });
  if (known == kKnown.end()) {
    std::optional<std::string> near = nearest(level, levels());
    throw usage_error("unknown allocator \"{}\"{}; there are {}, or the absolute path of a library",
                      level, near ? " (did you mean \"" + *near + "\"?)" : "",
                      join(levels(), ", "));
  }
  std::optional<fs::path> found = library_in_cache(ask_ldconfig(), known->stem);
  // A cache that is older than the library, or a system without one.
  std::error_code error;
  if (!found || !fs::exists(*found, error)) found = library_in_directories(known->stem);
  if (!found)
    throw environment_error("{} is not installed on this host: no {}.so.N; install {}",
                            known->level, known->stem, known->package);
  return with_real_directory(*found);
}

std::string library_name(std::string level) {
  std::replace(level.begin(), level.end(), '-', '_');
  return level;
}

}  // namespace lab::hosts
