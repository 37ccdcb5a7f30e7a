// What users write: job files and matrices.
#include <cstdint>
#include <string_view>

#include "runner/plan/job_file.h"
#include "runner/plan/matrix.h"
#include "runner/plan/shape.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  // It would read whatever file the input names.
  if (text.find("include") != std::string_view::npos) return 0;
  try {
    lab::JobFile job = lab::JobFile::parse(text, "input.fio", "/nonexistent");
    lab::rows_of(job);
    job.drop({"direct"});
    job.add_global("added", {{"ioengine", "null"}});
    // What was written is read again as the same job.
    lab::JobFile again = lab::JobFile::parse(job.text(), "again.fio", "/nonexistent");
    if (again.sections() != job.sections()) __builtin_trap();
  } catch (const lab::Error&) {
    // refused with a text
  }
  try {
    lab::parse_factor(lab::JsonDocument::parse(text, "input.json"));
  } catch (const lab::Error&) {
    // refused with a text
  }
  return 0;
}
