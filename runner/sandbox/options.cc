#include "runner/sandbox/options.h"

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::sandbox {
namespace {

// BlueStore needs room for its own database beside the data; with less it starts
// and then reports itself full.
constexpr uint64_t kSmallestOsd = uint64_t{1} << 30;
constexpr int kMostOsds = 64;

}  // namespace

void check(const Options& options) {
  if (options.osds < 1 || options.osds > kMostOsds)
    throw usage_error("--osds={}: a sandbox has 1 to {} OSDs", options.osds, kMostOsds);
  if (options.hosts < 1 || options.hosts > options.osds)
    throw usage_error("--hosts={}: {} OSDs can be under 1 to {} hosts", options.hosts, options.osds,
                      options.osds);
  if (options.osd_bytes < kSmallestOsd)
    throw usage_error("--osd-size={}: an OSD needs at least {}", format_bytes(options.osd_bytes),
                      format_bytes(kSmallestOsd));
}

std::pair<std::string, std::string> parse_environment(const std::string& text) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw usage_error("\"{}\" is no environment setting: write NAME=VALUE", text);
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace lab::sandbox
