// A directory of recoveries for tests, with raw files as lab recovery leaves them.
#pragma once

#include <string>

#include "analysis/side_example.h"
#include "results/reader.h"
#include "results/recovery.h"
#include "results/samples.h"
#include "results/writer.h"
#include "runner/base/time.h"

namespace lab::analysis {

// One recovery: three OSDs, of which osd.2 fails at 10 s. It begins at 15 s.
struct ExampleRecovery {
  double to_clean_s = 20;
  double normal_mib = 500;  // of osd.0; osd.1 has 100 more
  double growth_mib = 50;   // in recovery; half of it stays
  bool load = true;
};

inline void write_example(const fs::path& folder, const ExampleRecovery& example) {
  constexpr uint64_t mib = uint64_t{1} << 20;
  const TimePoint begin = *parse_utc("2026-12-01T10:00:00.000Z");
  auto at = [&](double s) {
    return format_utc(begin + std::chrono::milliseconds(static_cast<int64_t>(s * 1000)));
  };
  const double clean = 15 + example.to_clean_s;
  results::RecoveryRecord record;
  record.method = "stop";
  record.osds = {2};
  record.load = example.load;
  record.phases = {{"baseline", 0, at(0)},
                   {"failure", 10, at(10)},
                   {"recovering", 15, at(15)},
                   {"clean", clean + 3, at(clean + 3)},
                   {"cool-down", clean + 13, at(clean + 13)}};
  record.end_s = clean + 23;
  record.end = at(record.end_s);
  record.degraded_gone_s = clean - 2;
  record.clean_s = clean;
  record.recovered_objects = 100;
  record.recovered_bytes = 400 * mib;
  results::save_recovery(folder, record);

  results::SampleLog samples(folder / "samples.csv");
  std::string log;
  for (int t = 0; t < static_cast<int>(record.end_s); ++t) {
    std::string phase;
    for (const results::RecoveryPhase& each : record.phases)
      if (each.begin_s <= t) phase = each.name;
    samples.at(t, begin + std::chrono::seconds(t), phase);
    const bool recovering = phase == "recovering";
    const bool later = phase == "clean" || phase == "cool-down";
    for (int osd = 0; osd < 3; ++osd) {
      if (osd == 2 && phase != "baseline") continue;
      const double grown = example.growth_mib * (recovering ? 1 : later ? 0.5 : 0);
      const double rss = example.normal_mib + (osd == 1 ? 100 : 0) + grown;
      samples.add("osd." + std::to_string(osd), "rss",
                  static_cast<uint64_t>(rss * static_cast<double>(mib)));
    }
    if (!example.load || phase == "cool-down") continue;
    // 1000 reads of 100 ns a second, and half of them in recovery.
    log += fmt::format("{}, 0, 4096", 1796119200000 + t * 1000 + 1000);
    for (int bin = 0; bin < 1856; ++bin)
      log += fmt::format(", {}", bin == 100 ? (recovering ? 500 : 1000) : 0);
    log += "\n";
  }
  samples.finish();
  if (example.load) write_file_atomically(folder / "client_clat_hist.1.log", log);
}

// Cells "off" and "writeback" in four blocks, without fio's own figures. Repetitions differ a
// little, as those of machines do.
inline results::ResultReader recoveries(const fs::path& root, const ExampleRecovery& base,
                                        const ExampleRecovery& other) {
  results::Manifest manifest = results::example_manifest();
  manifest.procedure = "recovery";
  manifest.matrix = {"allocator"};
  results::Plan plan = four_blocks();
  plan.rows.clear();
  plan.phases.clear();
  for (results::Cell& cell : plan.cells) cell.levels = {{"allocator", cell.name}};
  results::ResultWriter writer =
      results::ResultWriter::create(root, manifest, plan, "[clients]\nrw=randrw\n");
  for (const results::PlannedRun& planned : plan.runs) {
    ExampleRecovery example = planned.cell == "off" ? base : other;
    example.normal_mib += 0.5 * planned.index;
    example.to_clean_s += 0.1 * (planned.index % 3);
    write_example(writer.begin_run(planned.index), example);
    results::RunRecord record;
    record.index = planned.index;
    record.cell = planned.cell;
    writer.finish_run(record);
  }
  return results::ResultReader::load(writer.directory());
}

}  // namespace lab::analysis
