#include "analysis/recovery/client_log.h"

#include <algorithm>
#include <string>

#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// fio's FIO_IO_U_PLAT_*: 64 bins for each power of two.
constexpr size_t kBinBits = 6;
constexpr size_t kBins = size_t{1} << kBinBits;

// The next number of a line and the comma behind it.
bool take_number(std::string_view& rest, uint64_t& number) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const size_t comma = std::min(rest.find(','), rest.size());
  if (!results::number_of(trim(rest.substr(0, comma)), number)) return false;
  rest.remove_prefix(std::min(comma + 1, rest.size()));
  return true;
}

}  // namespace

uint64_t latency_of_bin(size_t index) {
  if (index < 2 * kBins) return index;
  const size_t shift = (index >> kBinBits) - 1;
  const uint64_t base = uint64_t{1} << (shift + kBinBits);
  const uint64_t width = uint64_t{1} << shift;
  return base + index % kBins * width + width / 2;
}

bool parse_client_line(std::string_view line, ClientSample& sample) {
  uint64_t time_ms = 0;
  uint64_t direction = 0;
  uint64_t block = 0;
  if (!take_number(line, time_ms) || !take_number(line, direction) || !take_number(line, block) ||
      line.empty() || direction > 1)
    return false;
  sample.at_ms = static_cast<int64_t>(time_ms);
  sample.write = direction == 1;
  sample.bins.clear();
  sample.count = 0;
  for (size_t bin = 0; !line.empty(); ++bin) {
    uint64_t count = 0;
    if (!take_number(line, count)) return false;
    if (count == 0) continue;
    sample.bins.push_back({latency_of_bin(bin), count});
    sample.count += count;
  }
  return true;
}

void read_client_logs(const fs::path& folder, const std::function<void(const ClientSample&)>& take,
                      results::DamagedLines& damaged) {
  std::vector<fs::path> logs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("client_clat_hist.")) logs.push_back(entry);
  std::sort(logs.begin(), logs.end());
  ClientSample sample;
  for (const fs::path& log : logs) {
    results::CsvLines lines(log);
    while (lines.next()) {
      if (parse_client_line(lines.line(), sample))
        take(sample);
      else if (lines.line().find(", 2, ") == std::string_view::npos)
        damaged.add(lines.number());
    }
  }
}

}  // namespace lab::analysis
