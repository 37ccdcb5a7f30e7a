#include "runner/target/block_guard.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::optional<std::string> objection_to_writing(const BlockFacts& facts,
                                                const std::vector<std::string>& destroy) {
  const std::string& path = facts.path;
  if (!facts.exists)
    return fmt::format("{}: there is no such device; lsblk shows those there are", path);
  if (facts.device.empty())
    return fmt::format("{}: is not a block device; name one such as /dev/nvme0n1", path);
  if (!facts.uses.empty())
    return fmt::format(
        "{}: in use: {}. lab never writes on a device in use; unmount it, or release it from its "
        "volume, first",
        path, join(facts.uses, ", "));
  if (facts.open_error == EBUSY)
    return fmt::format(
        "{}: in use: the kernel refuses exclusive access, so it is mounted elsewhere (a "
        "container's namespace), or part of a volume, or another program has claimed it. Release "
        "it first; 'lsblk {}' and 'fuser -v {}' may tell by whom",
        path, path, path);
  if (facts.open_error == EACCES || facts.open_error == EPERM)
    return fmt::format("{}: cannot be opened: {}; run lab as root", path,
                       strerror(facts.open_error));
  if (facts.open_error != 0)
    return fmt::format("{}: cannot be opened: {}; is the device ready?", path,
                       strerror(facts.open_error));
  if (facts.size_bytes == 0)
    return fmt::format("{}: has no size; is a medium inserted, or a file attached?", path);
  if (facts.read_only)
    return fmt::format("{}: is read-only; 'blockdev --setrw {}' makes it writable, if it may be",
                       path, path);
  if (facts.contents.empty() || contains(destroy, path) || contains(destroy, facts.device))
    return {};
  std::string text =
      fmt::format("{}: holds {}. Measuring destroys it; if that may be, say --destroy-data-on={}",
                  path, join(facts.contents, ", "), path);
  if (!destroy.empty())
    text += fmt::format(" (--destroy-data-on names {} only)", join(destroy, ", "));
  return text;
}

BlockClaim claim_block_device(const std::string& path, const std::vector<std::string>& destroy) {
  Fd exclusive;
  BlockFacts facts = read_block_facts(path, exclusive);
  if (auto objection = objection_to_writing(facts, destroy)) throw usage_error("{}", *objection);
  return {path, facts.device, facts.size_bytes, std::move(facts.contents), std::move(exclusive)};
}

}  // namespace lab
