#include "runner/experiment/conditions.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>

#include "runner/base/text.h"
#include "runner/fio/fio.h"
#include "runner/plan/shape.h"

namespace lab {
namespace {

void add_unique(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

// "always [madvise] never" -> "madvise"
std::string selected(const fs::path& file) {
  if (!fs::exists(file)) return "unknown";
  const std::string text = read_file(file);
  const size_t open = text.find('[');
  const size_t close = text.find(']');
  return open == std::string::npos || close < open ? std::string(trim(text))
                                                   : text.substr(open + 1, close - open - 1);
}

}  // namespace

results::TextList conditions_of(const Prepared& prepared, Target& target) {
  results::TextList out;
  std::vector<std::string> sizes;
  bool mixed = false;
  for (const RowShape& row : rows_of(prepared.job)) {
    add_unique(sizes, row.block_size);
    mixed |= row.block_bytes == 0;
  }
  // Else the table tells it from its rows, as it tells iodepth and numjobs: levels may differ.
  if (mixed) out.emplace_back("block size", join(sizes, ", "));
  if (prepared.run_seconds > 0) {
    std::vector<std::string> times;
    for (const Phase& phase : phases_of(prepared.job))
      times.push_back(fmt::format("{:g} s", phase.seconds));
    out.emplace_back("runtime", join(times, " + "));
  }
  for (auto& condition : target.conditions()) out.push_back(std::move(condition));
  out.emplace_back("fio", fio_version());
  utsname name{};
  uname(&name);
  out.emplace_back("kernel", fmt::format("{} {}", name.sysname, name.release));
  out.emplace_back("CPUs", fmt::format("{} ({})", sysconf(_SC_NPROCESSORS_ONLN), name.machine));
  const auto memory =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  out.emplace_back("memory", format_bytes(memory >> 20 << 20));
  out.emplace_back("transparent huge pages",
                   selected("/sys/kernel/mm/transparent_hugepage/enabled"));
  for (const results::LeftOut& left : prepared.plan.left_out)
    out.emplace_back("not run: " + left.cell, left.reason);
  return out;
}

}  // namespace lab
