#include "runner/plan/objection.h"

#include <algorithm>

#include "runner/base/error.h"

namespace lab {
namespace {

bool sets_cache(const Cell& cell) {
  return std::any_of(cell.settings.begin(), cell.settings.end(), [](const Setting& setting) {
    if (std::holds_alternative<CacheMode>(setting)) return true;
    const auto* client = std::get_if<ClientOptions>(&setting);
    return client && std::any_of(client->options.begin(), client->options.end(),
                                 [](const auto& o) { return o.first.starts_with("rbd_cache"); });
  });
}

}  // namespace

std::optional<std::string> objection_to(const std::string& target, const JobFile& job,
                                        const std::vector<Cell>& cells) {
  if (target != "rbd-builtin" || std::none_of(cells.begin(), cells.end(), sets_cache)) return {};
  for (size_t section = 0; section < job.sections().size(); ++section)
    if (job.flag(section, "direct"))
      return fmt::format(
          "section [{}] has direct=1, and with it fio's own rbd engine sets rbd_cache=false, "
          "whatever the cell asks: all cells would measure the cache turned off. Use direct=0, or "
          "--target=rbd, whose cache modes act whatever direct says",
          job.sections()[section]);
  return {};
}

}  // namespace lab
