#include "runner/sampling/answers.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/text.h"

namespace lab::sampling {
namespace {

constexpr std::string_view kBytes = "_bytes";

[[noreturn]] void refuse(const char* command, std::string_view answer) {
  constexpr size_t most = 80;
  throw environment_error("{}: the answer is none: {}", command, answer.substr(0, most));
}

uint64_t bytes_of(const Json& pool) { return pool.at("bytes").get<uint64_t>(); }

// The object that begins at `begin` in a JSON text, with its braces; empty if it has no end. Names
// of Ceph's counters hold no braces and no quotes.
std::string_view object_at(std::string_view text, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.substr(begin, i + 1 - begin);
  }
  return {};
}

std::string metric_of(const std::string& cache, std::string_view counter) {
  counter.remove_suffix(kBytes.size());
  // "current memory available for caches", as Ceph describes it.
  if (cache.empty())
    return counter == "cache" ? "cache_available" : fmt::format("cache_{}", counter);
  return fmt::format("cache_{}_{}", cache, counter);
}

void add_cache(const std::string& cache, std::string_view object, std::vector<Figure>& figures) {
  const Json counters = Json::parse(object, nullptr, false);
  if (!counters.is_object()) refuse("perf dump", object);
  for (const auto& [name, value] : counters.items())
    if (name.ends_with(kBytes) && !name.starts_with("pri") && value.is_number_unsigned())
      figures.push_back({metric_of(cache, name), value.get<uint64_t>()});
}

// gperftools' words for what it counts, and lab's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kHeap = {
    {{"Bytes in use by application", "heap_used"},
     {"Bytes in page heap freelist", "heap_page_heap_free"},
     {"Bytes in central cache freelist", "heap_central_free"},
     {"Bytes in transfer cache freelist", "heap_transfer_free"},
     {"Bytes in thread cache freelists", "heap_thread_free"},
     {"Bytes in malloc metadata", "heap_metadata"},
     {"Actual memory used (physical + swap)", "heap_physical"},
     {"Bytes released to OS (aka unmapped)", "heap_released"}}};

}  // namespace

std::vector<Figure> mempool_figures(std::string_view answer) {
  const Json parsed = Json::parse(answer, nullptr, false);
  try {
    const Json& mempool = parsed.at("mempool");
    std::vector<Figure> figures = {{"mempool", bytes_of(mempool.at("total"))}};
    for (const auto& [name, pool] : mempool.at("by_pool").items())
      if (const uint64_t bytes = bytes_of(pool)) figures.push_back({"mempool_" + name, bytes});
    return figures;
  } catch (const Json::exception&) {
    refuse("dump_mempools", answer);
  }
}

std::vector<Figure> priority_cache_figures(std::string_view answer) {
  if (!trim(answer).starts_with('{')) refuse("perf dump", answer);
  constexpr std::string_view begin = "\"prioritycache";
  std::vector<Figure> figures;
  for (size_t at = answer.find(begin); at != std::string_view::npos;
       at = answer.find(begin, at + begin.size())) {
    const size_t name = at + begin.size();
    const size_t quote = answer.find('"', name);
    const size_t brace = answer.find('{', name);
    if (quote == std::string_view::npos || brace == std::string_view::npos) break;
    std::string cache(answer.substr(name, quote - name));
    if (cache.starts_with(':')) cache.erase(0, 1);
    add_cache(cache, object_at(answer, brace), figures);
  }
  return figures;
}

std::vector<Figure> heap_figures(std::string_view answer) {
  std::vector<Figure> figures;
  std::string_view rest = answer;
  while (!rest.empty()) {
    // "MALLOC: +    5242880 (    5.0 MiB) Bytes in page heap freelist"
    const std::string_view line = take_line(rest);
    for (const auto& [words, metric] : kHeap) {
      const size_t digit = line.find_first_of("0123456789");
      uint64_t bytes = 0;
      if (digit != std::string_view::npos && trim(line).ends_with(words) &&
          std::from_chars(line.data() + digit, line.data() + line.size(), bytes).ec == std::errc{})
        figures.push_back({std::string(metric), bytes});
    }
  }
  if (figures.empty()) refuse("heap stats", answer);
  return figures;
}

std::vector<Figure> resident_figures(std::string_view metrics) {
  constexpr std::string_view name = "process_resident_memory_bytes";
  std::string_view rest = metrics;
  while (!rest.empty()) {
    std::string_view line = take_line(rest);
    if (!line.starts_with(name)) continue;
    line.remove_prefix(name.size());
    if (line.starts_with('{')) line.remove_prefix(std::min(line.size(), line.find('}') + 1));
    if (!line.starts_with(' ')) continue;  // a longer name
    line = trim(line);
    double bytes = 0;
    if (std::from_chars(line.data(), line.data() + line.size(), bytes).ec == std::errc{} &&
        bytes >= 0 && bytes < 1e18)
      return {{"metrics_rss", static_cast<uint64_t>(bytes)}};
  }
  throw environment_error("the endpoint has no {}", name);
}

}  // namespace lab::sampling
