#include "runner/witness/client_account.h"

#include <algorithm>

#include "results/reader.h"
#include "runner/base/error.h"

namespace lab::witness {
namespace {

bool has_ramp(const std::map<std::string, std::string>& options) {
  const auto found = options.find("ramp_time");
  return found != options.end() && found->second != "0";
}

double each(double bytes, uint64_t ios) { return ios == 0 ? 0 : bytes / static_cast<double>(ios); }

// In force for one, in force at all.
void learn_cache(ClientAccount& account, const std::string& mode) {
  if (mode.empty() || mode == "config" || mode == "unknown") return;
  account.cached = account.cached.value_or(false) || mode != "off";
}

void take_engines_counts(ClientAccount& account, const results::Effective& effective) {
  account.reads = account.writes = account.trims = 0;
  for (const results::EffectiveClose& close : effective.closes) {
    account.reads += close.reads;
    account.writes += close.writes;
    account.trims += close.trims;
    if (close.errors > 0) account.whole = false;
  }
  account.opens = effective.opens.size();
  if (effective.truncated || effective.closes.size() < effective.opens.size())
    account.whole = false;
  for (const results::EffectiveOpen& open : effective.opens)
    learn_cache(account, open.cache_effective);
}

}  // namespace

ClientAccount account_of(const analysis::FioOutput& fio, const results::Effective* effective,
                         const std::vector<results::SettingProof>& proofs) {
  ClientAccount account;
  account.whole = !fio.jobs.empty();
  bool ramp = has_ramp(fio.global_options);
  for (const analysis::FioJob& job : fio.jobs) {
    account.reads += job.read.total_ios;
    account.writes += job.write.total_ios;
    account.trims += job.trim.total_ios;
    account.read_bytes += static_cast<double>(job.read.io_bytes);
    account.write_bytes += static_cast<double>(job.write.io_bytes);
    account.trim_bytes += static_cast<double>(job.trim.io_bytes);
    // One entry may stand for a group of jobs; then it says of how many.
    const auto jobs = job.options.find("numjobs");
    account.opens += jobs == job.options.end()
                         ? 1
                         : static_cast<uint64_t>(std::max(1, std::atoi(jobs->second.c_str())));
    ramp = ramp || has_ramp(job.options);
    // Reads and writes in one sum.
    if (job.error != 0 || job.total_errors > 0 || job.mixed.total_ios > 0) account.whole = false;
  }
  account.read_bytes = each(account.read_bytes, account.reads);
  account.write_bytes = each(account.write_bytes, account.writes);
  account.trim_bytes = each(account.trim_bytes, account.trims);
  if (effective && !effective->opens.empty())
    take_engines_counts(account, *effective);
  else if (ramp)
    account.whole = false;
  if (!account.cached)
    for (const results::SettingProof& proof : proofs)
      if (proof.name == "cache mode" && proof.verified) learn_cache(account, proof.effective);
  return account;
}

ClientAccount read_account(const fs::path& folder,
                           const std::vector<results::SettingProof>& proofs) {
  try {
    const fs::path json = folder / "fio.json";
    const std::optional<results::Effective> effective = results::load_effective(folder);
    return account_of(analysis::parse_fio(read_file(json), json.string()),
                      effective ? &*effective : nullptr, proofs);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace lab::witness
