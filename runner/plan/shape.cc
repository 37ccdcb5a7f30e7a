#include "runner/plan/shape.h"

#include <algorithm>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab {
namespace {

struct Direction {
  bool random = false;
  bool reads = false;
  bool writes = false;
};

Direction direction_of(const JobFile& job, size_t section) {
  // `rw=randread:8` and `rw=write:4k` carry a modifier.
  std::string rw = job.value(section, "rw").value_or("read");
  rw = rw.substr(0, rw.find(':'));
  Direction d;
  d.random = rw.starts_with("rand");
  std::string kind = d.random ? rw.substr(4) : rw;
  if (kind == "readwrite") kind = "rw";
  d.reads = kind == "read" || kind == "rw";
  d.writes = kind == "write" || kind == "rw" || kind == "trimwrite";
  return d;
}

double seconds_of(const JobFile& job, size_t section, std::string_view key) {
  auto text = job.value(section, key);
  if (!text) return 0;
  if (auto seconds = parse_seconds(*text)) return *seconds;
  throw usage_error("{}: section [{}]: {} is no time: {}", job.name(), job.sections()[section], key,
                    *text);
}

std::string common(const JobFile& job, const Phase& phase, std::string_view key,
                   std::string_view fallback) {
  std::string first = job.value(phase.sections[0], key).value_or(std::string(fallback));
  for (size_t section : phase.sections)
    if (job.value(section, key).value_or(std::string(fallback)) != first) return "various";
  return first;
}

RowShape shape_of(const JobFile& job, const Phase& phase) {
  RowShape row;
  bool any_random = false;
  bool all_random = true;
  for (size_t section : phase.sections) {
    bool random = direction_of(job, section).random;
    any_random |= random;
    all_random &= random;
    row.iodepth = std::max(row.iodepth, job.number(section, "iodepth", 1));
  }
  row.numjobs = 0;
  for (size_t section : phase.sections) row.numjobs += job.number(section, "numjobs", 1);
  // bs=4k,8k,16k: reads, writes, trims.
  row.block_size = common(job, phase, "bs", "4k");
  for (size_t section : phase.sections)
    if (job.value(section, "bssplit") || job.value(section, "bsrange")) row.block_size = "various";
  if (auto bytes = parse_bytes(row.block_size)) row.block_bytes = *bytes;
  row.type = any_random == all_random ? (any_random ? "rand" : "seq") : "various";
  if (phase.reads && phase.writes) {
    std::string read_percent = common(job, phase, "rwmixread", "50");
    if (auto write = job.value(phase.sections[0], "rwmixwrite"))
      if (auto percent = parse_bytes(*write); percent && *percent <= 100)
        read_percent = std::to_string(100 - *percent);
    auto percent = parse_bytes(read_percent);
    row.type += phase.sections.size() == 1 && percent && *percent <= 100
                    ? fmt::format(" mixed {}r/{}w", *percent, 100 - *percent)
                    : std::string(" mixed");
  } else {
    row.type += phase.writes ? " w" : " r";
  }
  return row;
}

bool same_shape(const RowShape& a, const RowShape& b) {
  return a.type.substr(0, a.type.find(' ')) == b.type.substr(0, b.type.find(' ')) &&
         a.block_size == b.block_size && a.iodepth == b.iodepth && a.numjobs == b.numjobs;
}

}  // namespace

std::vector<Phase> phases_of(const JobFile& job) {
  std::vector<Phase> phases;
  for (size_t section = 0; section < job.sections().size(); ++section) {
    if (phases.empty() || job.flag(section, "stonewall")) phases.emplace_back();
    Phase& phase = phases.back();
    phase.sections.push_back(section);
    Direction d = direction_of(job, section);
    phase.reads |= d.reads;
    phase.writes |= d.writes;
    const double runtime = seconds_of(job, section, "runtime");
    if (runtime == 0) phase.bounded = false;
    phase.seconds = std::max(phase.seconds, runtime + seconds_of(job, section, "ramp_time"));
  }
  for (Phase& phase : phases)
    if (!phase.bounded) phase.seconds = 0;
  return phases;
}

std::vector<RowShape> rows_of(const JobFile& job) {
  std::vector<Phase> phases = phases_of(job);
  std::vector<RowShape> rows;
  for (size_t i = 0; i < phases.size(); ++i) {
    const Phase& phase = phases[i];
    if (!phase.reads && !phase.writes) continue;  // trims only: no figure of a w/r table
    RowShape row = shape_of(job, phase);
    if (phase.writes) row.write_phase = i;
    if (phase.reads) row.read_phase = i;
    if (!rows.empty() && !(phase.reads && phase.writes)) {
      RowShape& last = rows.back();
      bool complements =
          phase.reads ? last.write_phase && !last.read_phase : last.read_phase && !last.write_phase;
      if (complements && same_shape(last, row)) {
        (phase.reads ? last.read_phase : last.write_phase) = i;
        last.type = last.type.substr(0, last.type.find(' ')) + " rw";
        continue;
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

double run_seconds(const JobFile& job) {
  double seconds = 0;
  for (const Phase& phase : phases_of(job)) {
    if (phase.seconds == 0) return 0;
    seconds += phase.seconds;
  }
  return seconds;
}

std::optional<uint64_t> span_bytes(const JobFile& job) {
  uint64_t span = 0;
  for (size_t section = 0; section < job.sections().size(); ++section) {
    auto size = job.value(section, "size");
    if (!size || size->ends_with('%')) size = job.value(section, "filesize");
    if (!size) return {};
    // filesize=1G-2G is a range; the upper end bounds it.
    if (size_t dash = size->rfind('-'); dash != std::string::npos) size = size->substr(dash + 1);
    auto bytes = parse_bytes(*size);
    if (!bytes)
      throw usage_error("{}: section [{}]: size is no size: {}", job.name(),
                        job.sections()[section], *size);
    const std::string offset = job.value(section, "offset").value_or("0");
    // A part of the device lies inside it.
    span = std::max(span, *bytes + (offset.ends_with('%') ? 0 : job.number(section, "offset", 0)));
  }
  return span;
}

}  // namespace lab
