#include "runner/hosts/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>

#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/text.h"

namespace lab::hosts {
namespace {

// The number after "Name:"; memory is in kB, which means KiB here.
std::optional<uint64_t> field(std::string_view line, std::string_view name) {
  if (!line.starts_with(name) || line.size() <= name.size() || line[name.size()] != ':') return {};
  const std::string_view rest = trim(line.substr(name.size() + 1));
  uint64_t number = 0;
  if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec != std::errc{}) return {};
  return number;
}

}  // namespace

std::optional<MemoryStatus> parse_memory_status(std::string_view text) {
  constexpr uint64_t kib = 1024;
  std::optional<uint64_t> rss, peak, anon, threads;
  while (!text.empty() && !(rss && peak && anon && threads)) {
    const std::string_view line = take_line(text);
    if (!rss) rss = field(line, "VmRSS");
    if (!peak) peak = field(line, "VmHWM");
    if (!anon) anon = field(line, "RssAnon");
    if (!threads) threads = field(line, "Threads");
  }
  if (!rss || !peak || !anon || !threads) return {};
  return MemoryStatus{*rss * kib, *peak * kib, *anon * kib, static_cast<unsigned>(*threads)};
}

std::optional<MemoryRollup> parse_memory_rollup(std::string_view text) {
  constexpr uint64_t kib = 1024;
  std::optional<uint64_t> anon, huge;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!anon) anon = field(line, "Pss_Anon");
    if (!huge) huge = field(line, "AnonHugePages");
  }
  if (!anon || !huge) return {};
  return MemoryRollup{*anon * kib, *huge * kib};
}

std::optional<MemoryStatus> read_memory_status(pid_t pid) {
  return parse_memory_status(read_file_or_empty(fmt::format("/proc/{}/status", pid)));
}

bool reset_peak_rss(pid_t pid) {
  Fd file(open(fmt::format("/proc/{}/clear_refs", pid).c_str(), O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), "5", 1) == 1;
}

}  // namespace lab::hosts
