#include "runner/target/block_facts.h"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <optional>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab {
namespace {

constexpr uint64_t kSampleBytes = 1 << 20;
constexpr int kSamples = 16;

// The number behind a path, if it is a block device.
std::optional<dev_t> block_number(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISBLK(info.st_mode)) return {};
  return info.st_rdev;
}

fs::path sys_directory(dev_t number) {
  return fs::path("/sys/dev/block") / fmt::format("{}:{}", major(number), minor(number));
}

std::string kernel_name(dev_t number) {
  std::error_code error;
  fs::path target = fs::canonical(sys_directory(number), error);
  return error ? "" : target.filename().string();
}

std::string first_line(const fs::path& path) {
  std::error_code absent;
  if (!fs::exists(path, absent)) return "";
  return std::string(trim(read_file(path)));
}

// The partitions of a disk and their numbers; empty for a partition.
std::map<std::string, dev_t> partitions(dev_t disk) {
  std::map<std::string, dev_t> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(sys_directory(disk), error)) {
    if (!fs::exists(entry.path() / "partition", error)) continue;
    std::vector<std::string> number = split(first_line(entry.path() / "dev"), ':');
    if (number.size() != 2) continue;
    found[entry.path().filename().string()] = makedev(static_cast<unsigned>(std::stoul(number[0])),
                                                      static_cast<unsigned>(std::stoul(number[1])));
  }
  return found;
}

std::vector<std::string> holders(dev_t number) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(sys_directory(number) / "holders", error)) {
    std::string name = entry.path().filename().string();
    std::string mapped = first_line(entry.path() / "dm" / "name");
    found.push_back(mapped.empty() ? name : fmt::format("{} ({})", name, mapped));
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Mounts, swap spaces and holders of one device; `subject` is empty for the device itself.
void add_uses(dev_t number, const std::string& subject, const std::vector<MountLine>& mounts,
              const std::vector<std::string>& swaps, std::vector<std::string>& uses) {
  std::string begin = subject.empty() ? "" : subject + " ";
  for (const MountLine& mount : mounts) {
    // btrfs, for one, mounts with a number of its own and names the device as source.
    if (mount.number == number || block_number(mount.source) == number)
      uses.push_back(fmt::format("{}is mounted on {}", begin, mount.mount_point));
  }
  for (const std::string& swap : swaps)
    if (block_number(swap) == number) uses.push_back(begin + "is swap space in use");
  for (const std::string& holder : holders(number))
    uses.push_back(fmt::format("{}is held by {}", begin, holder));
}

std::string probed(blkid_probe probe, const char* name) {
  const char* value = nullptr;
  if (blkid_probe_lookup_value(probe, name, &value, nullptr) != 0) return "";
  return value;
}

std::string describe(blkid_probe probe) {
  if (std::string table = probed(probe, "PTTYPE"); !table.empty())
    return fmt::format("a {} partition table", table);
  std::string type = probed(probe, "TYPE");
  if (type.empty()) return "";
  if (type == "ceph_bluestore") return "a Ceph OSD (BlueStore)";
  std::string usage = probed(probe, "USAGE");
  std::string what = usage == "filesystem" ? fmt::format("a file system of type {}", type)
                     : usage == "raid"     ? fmt::format("a member of a volume or RAID ({})", type)
                     : usage == "crypto"   ? fmt::format("an encrypted volume ({})", type)
                                           : fmt::format("data of type {}", type);
  std::string label = probed(probe, "LABEL");
  return label.empty() ? what : fmt::format("{} labelled \"{}\"", what, label);
}

// Every signature that libblkid knows, not just the most likely one.
std::vector<std::string> signatures(int fd) {
  std::vector<std::string> found;
  std::unique_ptr<std::remove_pointer_t<blkid_probe>, decltype(&blkid_free_probe)> probe(
      blkid_new_probe(), blkid_free_probe);
  if (!probe || blkid_probe_set_device(probe.get(), fd, 0, 0) != 0)
    throw environment_error("libblkid cannot look at a device that could be opened");
  blkid_probe_enable_superblocks(probe.get(), 1);
  blkid_probe_set_superblocks_flags(probe.get(),
                                    BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_LABEL);
  blkid_probe_enable_partitions(probe.get(), 1);
  while (blkid_do_probe(probe.get()) == 0) {
    std::string what = describe(probe.get());
    if (!what.empty() && std::find(found.begin(), found.end(), what) == found.end())
      found.push_back(what);
  }
  return found;
}

// Whether any byte is set in the first and last MiB and in samples between them.
bool holds_data(int fd, uint64_t size_bytes) {
  std::vector<char> buffer(kSampleBytes);
  for (int i = 0; i < kSamples; ++i) {
    uint64_t last = size_bytes > kSampleBytes ? size_bytes - kSampleBytes : 0;
    uint64_t offset = last / (kSamples - 1) * static_cast<uint64_t>(i);
    if (i == kSamples - 1) offset = last;
    ssize_t n = pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    // What can't be read can't be said to be empty.
    if (n < 0) return true;
    if (std::any_of(buffer.begin(), buffer.begin() + n, [](char c) { return c != 0; })) return true;
    if (last == 0) break;
  }
  return false;
}

// mountinfo writes space, tab, newline and backslash as octal.
std::string unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 3)), nullptr, 8));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

std::vector<MountLine> parse_mountinfo(std::string_view text) {
  std::vector<MountLine> mounts;
  for (const std::string& line : split(text, '\n')) {
    std::vector<std::string> fields = split(line, ' ');
    auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 7 || fields.end() - dash < 3) continue;
    std::vector<std::string> number = split(fields[2], ':');
    if (number.size() != 2) continue;
    mounts.push_back({makedev(static_cast<unsigned>(std::stoul(number[0])),
                              static_cast<unsigned>(std::stoul(number[1]))),
                      unescape(fields[4]), unescape(dash[2])});
  }
  return mounts;
}

std::vector<std::string> parse_swaps(std::string_view text) {
  std::vector<std::string> paths;
  for (const std::string& line : split(text, '\n')) {
    if (!line.starts_with('/')) continue;
    paths.push_back(unescape(line.substr(0, line.find_first_of(" \t"))));
  }
  return paths;
}

BlockFacts read_block_facts(const std::string& path, Fd& exclusive) {
  BlockFacts facts;
  facts.path = path;
  std::error_code ignored;
  facts.exists = fs::exists(path, ignored);
  std::optional<dev_t> number = block_number(path);
  if (!number) return facts;
  facts.device = "/dev/" + kernel_name(*number);

  exclusive = Fd(open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  facts.open_error = exclusive ? 0 : errno;

  std::vector<MountLine> mounts = parse_mountinfo(read_file("/proc/self/mountinfo"));
  std::vector<std::string> swaps;
  if (fs::exists("/proc/swaps", ignored)) swaps = parse_swaps(read_file("/proc/swaps"));
  add_uses(*number, "", mounts, swaps, facts.uses);
  std::vector<std::string> names;
  for (const auto& [name, partition] : partitions(*number)) {
    add_uses(partition, "its partition " + name, mounts, swaps, facts.uses);
    names.push_back(name);
  }
  if (!names.empty()) facts.contents.push_back("partitions: " + join(names, ", "));

  // In use or not, the content is worth telling; only permissions can forbid it.
  Fd shared;
  if (!exclusive) shared = Fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  int fd = exclusive ? exclusive.get() : shared.get();
  if (fd < 0) return facts;
  int read_only = 0;
  ioctl(fd, BLKGETSIZE64, &facts.size_bytes);
  facts.read_only = ioctl(fd, BLKROGET, &read_only) != 0 || read_only != 0;
  if (facts.size_bytes == 0) return facts;
  for (std::string& what : signatures(fd)) facts.contents.push_back(std::move(what));
  if (facts.contents.empty() && holds_data(fd, facts.size_bytes))
    facts.contents.emplace_back("data of unknown kind");
  return facts;
}

}  // namespace lab
