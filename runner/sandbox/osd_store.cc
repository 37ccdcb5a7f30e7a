#include "runner/sandbox/osd_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "runner/base/fail_point.h"
#include "runner/base/text.h"
#include "runner/sandbox/daemon.h"
#include "runner/sandbox/keys.h"

namespace lab::sandbox {
namespace {

constexpr std::chrono::seconds kMakeLimit{60};

std::string osd_name(int osd) { return fmt::format("osd.{}", osd); }

fs::path mark(int osd, const Layout& layout) { return layout.data(osd_name(osd)) / "no-store"; }

// What the OSD is, and not what it holds.
bool is_identity(const fs::path& file) {
  const fs::path name = file.filename();
  return name == "keyring" || name == "crush_device_class" || name == "block" || name == "no-store";
}

// BlueStore finds itself by the label at the beginning of its device, and all else from there.
void wipe_label(const fs::path& block) {
  const Fd file(open(block.c_str(), O_WRONLY | O_CLOEXEC));
  const std::vector<char> zeros(size_t{1} << 20);
  if (!file ||
      pwrite(file.get(), zeros.data(), zeros.size(), 0) != static_cast<ssize_t>(zeros.size()) ||
      fsync(file.get()) != 0)
    throw environment_error("{}: cannot wipe the store's label: {}", block.string(),
                            strerror(errno));
}

// The managers' "osd destroy" asks whether that is safe; what fails on purpose was checked before.
void mark_destroyed(int osd, ceph::Cluster& cluster) {
  // Its process has ended, which the monitors may not have heard yet.
  cluster.mon({{"prefix", "osd down"}, {"ids", {std::to_string(osd)}}});
  cluster.mon({{"prefix", "osd destroy-actual"}, {"id", osd}, {"yes_i_really_mean_it", true}});
}

void wipe(int osd, const Layout& layout) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(layout.data(osd_name(osd))))
    if (!is_identity(entry.path())) files.push_back(entry.path());
  for (const fs::path& file : files) fs::remove_all(file);
  wipe_label(layout.block(osd));
}

std::string key_of(int osd, const Layout& layout) {
  const fs::path keyring = layout.data(osd_name(osd)) / "keyring";
  for (const std::string& line : split(read_file(keyring), '\n')) {
    const size_t equals = line.find('=');
    if (equals != std::string::npos && trim(line.substr(0, equals)) == "key")
      return std::string(trim(line.substr(equals + 1)));
  }
  throw environment_error("{}: there is no key in it", keyring.string());
}

}  // namespace

Command make_store_command(int osd, const std::string& uuid, const Layout& layout,
                           const State& state) {
  // Without --no-mon-config it would wait for a monitor, which may not be there yet.
  Command command =
      tool({"ceph-osd", "--mkfs", "-i", std::to_string(osd), "-c", layout.conf().string(),
            "--no-mon-config", "--monmap", layout.monmap().string(), "--osd-uuid", uuid},
           state);
  command.output = layout.error_output(osd_name(osd));
  command.error_output = layout.error_output(osd_name(osd));
  return command;
}

bool has_store(int osd, const Layout& layout) { return !fs::exists(mark(osd, layout)); }

void destroy_store(int osd, const Layout& layout, ceph::Cluster& cluster) {
  if (!has_store(osd, layout)) return;
  write_file_atomically(mark(osd, layout), "");
  fail_point("store destroyed: begun");
  wipe(osd, layout);
  fail_point("store destroyed: wiped");
  mark_destroyed(osd, cluster);
}

void make_store(int osd, const Layout& layout, const State& state, ceph::Cluster& cluster) {
  if (has_store(osd, layout)) return;
  // Whatever an earlier attempt has left, here and in the map.
  mark_destroyed(osd, cluster);
  wipe(osd, layout);
  const std::string uuid = random_uuid();
  const Command command = make_store_command(osd, uuid, layout, state);
  const Finished made = run_command(command, kMakeLimit);
  if (made.status != 0)
    throw environment_error("ceph-osd --mkfs of {} failed with status {}:\n{}", osd_name(osd),
                            made.status, last_words(osd_name(osd), layout));
  write_file_atomically(layout.data(osd_name(osd)) / "fsid", uuid + "\n");
  fail_point("store made: the cluster does not know it");
  cluster.mon({{"prefix", "osd new"}, {"uuid", uuid}, {"id", osd}},
              Json{{"cephx_secret", key_of(osd, layout)}}.dump());
  fail_point("store made: known");
  fs::remove(mark(osd, layout));
}

}  // namespace lab::sandbox
