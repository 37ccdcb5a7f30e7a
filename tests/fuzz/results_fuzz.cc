// The readers of result directories refuse what they can't read with an error that names
// the file, and nothing else.
#include <cstdint>
#include <string_view>

#include "results/effective.h"
#include "results/manifest.h"
#include "results/plan.h"
#include "results/run_record.h"
#include "runner/base/json.h"

namespace {

template <typename Read>
void refuse_or_read(Read read) {
  try {
    read();
  } catch (const lab::Error& e) {
    if (std::string_view(e.what()).find("input") == std::string_view::npos) throw;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lab;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  refuse_or_read([&] { results::manifest_from_json(JsonDocument::parse(text, "input.json")); });
  refuse_or_read([&] { results::plan_from_json(JsonDocument::parse(text, "input.json")); });
  refuse_or_read([&] { results::run_record_from_json(JsonDocument::parse(text, "input.json")); });
  refuse_or_read([&] { results::parse_effective(text, "input.jsonl"); });
  return 0;
}
