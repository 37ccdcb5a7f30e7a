#include "runner/target/rbd_target.h"

#include <algorithm>

#include "results/effective.h"
#include "runner/base/paths.h"
#include "runner/base/text.h"
#include "runner/ceph/same_value.h"
#include "runner/fio/fio.h"
#include "runner/plan/rewrite.h"

namespace lab {
namespace {

constexpr uint32_t kCounterSlots = 1024;

// One option or property held against every open record.
results::SettingProof prove(
    const std::string& name, const std::string& asked, const std::vector<OrderedJson>& opens,
    const std::function<std::pair<std::string, std::string>(const OrderedJson&)>& read) {
  results::SettingProof proof;
  proof.name = name;
  proof.asked = asked;
  if (opens.empty()) return proof;
  bool all = true;
  for (const OrderedJson& open : opens) {
    auto [value, source] = read(open);
    const bool same = !value.empty() && ceph::same_value(asked, value);
    // The record shown is the first, or the first that differs.
    if (&open == &opens[0] || (all && !same)) {
      proof.effective = value;
      proof.source = source;
    }
    all = all && same;
  }
  proof.verified = all;
  return proof;
}

// In one of an open record's lists; null if it isn't there.
const OrderedJson* find_option(const OrderedJson& open, const char* list, const std::string& name) {
  const auto options = open.find(list);
  if (options == open.end()) return nullptr;
  const auto found = options->find(name);
  return found == options->end() ? nullptr : &*found;
}

}  // namespace

std::vector<results::SettingProof> prove_by_records(const std::vector<Setting>& settings,
                                                    const std::vector<OrderedJson>& records) {
  std::vector<OrderedJson> opens;
  for (const OrderedJson& record : records)
    if (record.value("event", "") == "open") opens.push_back(record);
  std::vector<results::SettingProof> proofs;
  for (const Setting& setting : settings) {
    if (const auto* cache = std::get_if<CacheMode>(&setting)) {
      auto proof = prove("cache mode", cache->mode, opens, [](const OrderedJson& open) {
        return std::pair(open.value("cache_effective", ""),
                         "cache object: " + open.value("cache_objects", "unknown"));
      });
      proof.proof = "rbd_config_image_list and perf dump of the process that did the I/O";
      proofs.push_back(proof);
    } else if (const auto* client = std::get_if<ClientOptions>(&setting)) {
      for (const auto& [option, value] : client->options) {
        const std::string& key = option;
        auto proof = prove(option, value, opens, [&](const OrderedJson& open) {
          const OrderedJson* found = find_option(open, "options", key);
          if (!found) found = find_option(open, "client_options", key);
          if (!found) return std::pair<std::string, std::string>();
          return std::pair(found->value("value", ""), found->value("source", ""));
        });
        const bool of_image = std::any_of(opens.begin(), opens.end(), [&](const OrderedJson& open) {
          return find_option(open, "options", key) != nullptr;
        });
        proof.proof =
            of_image ? "rbd_config_image_list" : "config diff of the process that did the I/O";
        if (proof.effective.empty()) proof.verified.reset();
        proofs.push_back(proof);
      }
    }
  }
  return proofs;
}

void RbdTarget::claim(const JobFile& job) {
  const std::string installed = fio_version();
  if (installed != LAB_FIO_VERSION)
    throw environment_error(
        "the engines were built for {}, but the fio found is {}; run ./bootstrap "
        "again, which builds them for the installed one",
        LAB_FIO_VERSION, installed);
  ImageTarget::claim(job);
}

FioInput RbdTarget::arrange(JobFile job, const Cell& cell, const fs::path& run_directory) {
  std::string error;
  const fs::path directory = fs::absolute(run_directory);
  counters_ = io::CounterFile::create((directory / "counters").string(), kCounterSlots, &error);
  if (!counters_) throw environment_error("{}", error);
  last_ = {};
  last_time_ = std::chrono::steady_clock::now();
  shown_.reset();

  const rbd::Options o = data().options();
  std::string cache = "config";
  std::vector<std::string> overrides;
  for (const Setting& setting : cell.settings) {
    if (const auto* mode = std::get_if<CacheMode>(&setting)) cache = mode->mode;
    if (const auto* client = std::get_if<ClientOptions>(&setting))
      for (const auto& [key, value] : client->options) overrides.push_back(key + "=" + value);
  }
  std::vector<JobOption> options = {
      {"ioengine", "external:" + (engine_dir() / "lab-rbd.so").string()},
      {"clustername", o.clustername},
      {"conf", fs::absolute(o.conf).string()},
      {"clientname", o.clientname},
      {"pool", o.pool},
      {"rbdname", o.rbdname},
      {"cache", cache},
      {"effective", (directory / "effective.jsonl").string()},
      {"counters", (directory / "counters").string()}};
  if (!o.keyring.empty()) options.push_back({"keyring", fs::absolute(o.keyring).string()});
  if (!o.name_space.empty()) options.push_back({"namespace", o.name_space});
  if (!overrides.empty()) options.push_back({"rados_conf", join(overrides, ",")});
  retarget(job, "rbd", options);
  return {std::move(job), {}, false};
}

std::optional<LiveFigures> RbdTarget::live() {
  if (!counters_) return {};
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last_time_).count();
  if (seconds < 0.9 && shown_) return shown_;
  const io::CounterTotals totals = counters_->totals();
  if (seconds > 0)
    shown_ = LiveFigures{static_cast<double>(totals.reads - last_.reads) / seconds,
                         static_cast<double>(totals.writes - last_.writes) / seconds};
  last_ = totals;
  last_time_ = now;
  return shown_;
}

std::vector<results::SettingProof> RbdTarget::verify(const Cell& cell,
                                                     const fs::path& run_directory) {
  counters_.reset();
  std::error_code ignored;
  fs::remove(run_directory / "counters", ignored);
  const fs::path file = run_directory / "effective.jsonl";
  std::vector<OrderedJson> records;
  bool truncated = false;
  if (fs::exists(file))
    records = results::parse_json_lines(read_file(file), file.string(), &truncated);
  return prove_by_records(cell.settings, records);
}

}  // namespace lab
