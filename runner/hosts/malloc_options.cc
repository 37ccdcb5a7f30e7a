#include "runner/hosts/malloc_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "runner/base/text.h"

namespace lab::hosts {
namespace {

// The rest of the line after a text in it; none if it isn't there.
std::optional<std::string_view> after(std::string_view line, std::string_view text) {
  const size_t at = line.find(text);
  if (at == std::string_view::npos) return {};
  return line.substr(at + text.size());
}

void complain(std::string_view message, MallocOptions& found) {
  std::string text(trim(message));
  // jemalloc reads its options twice, and complains of their form each time.
  if (std::find(found.complaints.begin(), found.complaints.end(), text) == found.complaints.end())
    found.complaints.push_back(std::move(text));
}

void read_jemalloc(std::string_view message, MallocOptions& found) {
  if (std::optional<std::string_view> pair = after(message, "-- Set conf value: ")) {
    const size_t colon = std::min(pair->find(':'), pair->size());
    std::string_view value = pair->substr(std::min(colon + 1, pair->size()));
    found.options[std::string(pair->substr(0, colon))] = trim(value);
    return;
  }
  // Where the options came from, and what the profiler reports at the end.
  for (std::string_view harmless : {"malloc_conf #", "Leak approximation summary", "Run jeprof"})
    if (message.starts_with(harmless)) return;
  complain(message, found);
}

void read_mimalloc(std::string_view message, MallocOptions& found) {
  constexpr std::string_view sign = "option '";
  if (message.starts_with(sign)) {
    message.remove_prefix(sign.size());
    const size_t quote = message.find("': ");
    if (quote != std::string_view::npos)
      found.options[std::string(message.substr(0, quote))] = trim(message.substr(quote + 3));
    return;
  }
  if (message.starts_with("warning: ") || message.starts_with("error: ")) complain(message, found);
}

}  // namespace

MallocOptions parse_malloc_options(std::string_view stderr_text) {
  MallocOptions found;
  for (const std::string& line : split(stderr_text, '\n')) {
    // Without the '<' before it: else allocator_in_program would find jemalloc in lab.
    if (std::optional<std::string_view> message = after(line, "jemalloc>: "))
      read_jemalloc(*message, found);
    else if ((message = after(line, "mimalloc: ")))
      read_mimalloc(*message, found);
  }
  return found;
}

std::map<std::string, std::string> asked_malloc_options(const std::string& variable,
                                                        std::string_view value) {
  std::map<std::string, std::string> asked;
  constexpr std::string_view mimalloc = "MIMALLOC_";
  if (variable.starts_with(mimalloc)) {
    std::string name = variable.substr(mimalloc.size());
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    asked[name] = value;
  } else if (variable.ends_with("MALLOC_CONF")) {
    for (const std::string& pair : split(value, ',')) {
      const size_t colon = std::min(pair.find(':'), pair.size());
      if (!pair.empty())
        asked[pair.substr(0, colon)] = pair.substr(std::min(colon + 1, pair.size()));
    }
  }
  return asked;
}

}  // namespace lab::hosts
