#include "runner/target/prefill_fio.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "analysis/fio_json.h"
#include "runner/base/error.h"
#include "runner/base/interrupt.h"
#include "runner/base/json.h"
#include "runner/base/process.h"
#include "runner/base/text.h"
#include "runner/fio/fio.h"

namespace lab {
namespace {

constexpr uint64_t kBlockBytes = 1 << 20;
constexpr size_t kSampleBlockBytes = 4096;
constexpr unsigned kProofSamples = 1024;
constexpr size_t kNamedOffsets = 4;

const std::string& name_of(const FillPlace& place) {
  return place.device.empty() ? place.nbd_uri : place.device;
}

std::string section(const std::string& name, uint64_t offset, uint64_t size, uint64_t block) {
  return fmt::format("\n[{}]\nrw=write\nbs={}\noffset={}\nsize={}\nstonewall\n", name, block,
                     offset, size);
}

}  // namespace

std::string fill_job(const FillPlace& place) {
  const uint64_t tail = place.size_bytes % kBlockBytes;
  const uint64_t whole = place.size_bytes - tail;
  std::string text = "[global]\n";
  text += place.device.empty()
              ? fmt::format("ioengine=nbd\nuri={}\n", place.nbd_uri)
              : fmt::format("ioengine=libaio\ndirect=1\nfilename={}\n", place.device);
  // refill_buffers: new random bytes for every block, or all blocks would be alike.
  // norandommap and thread: no memory a block for large devices, no fork for one job.
  text += "thread\niodepth=16\nrefill_buffers\nnorandommap\nend_fsync=1\n";
  if (whole > 0) text += section("fill", 0, whole, kBlockBytes);
  if (tail > 0) text += section("tail", whole, tail, uint64_t{1} << std::countr_zero(tail));
  return text;
}

void check_filled(std::string_view json, const FillPlace& place) {
  const analysis::FioOutput output = analysis::parse_fio(json, "fio.json");
  uint64_t written = 0;
  for (const analysis::FioJob& job : output.jobs) {
    if (job.error != 0)
      throw environment_error("filling {} failed: fio's job \"{}\": {}", name_of(place), job.name,
                              strerror(job.error));
    written += job.write.io_bytes;
  }
  if (written != place.size_bytes)
    throw environment_error(
        "filling {} is not complete: fio wrote {} of {} bytes; reads of the rest would be "
        "answered without a disk",
        name_of(place), written, place.size_bytes);
}

void fill_with_fio(const FillPlace& place, const fs::path& directory,
                   const std::function<void(double)>& progress) {
  make_directories(directory);
  FioRun run;
  run.job = directory / "job.fio";
  run.directory = directory;
  run.eta = true;
  write_file_atomically(run.job, fill_job(place));
  bool stopped = false;
  FioOutcome outcome = run_fio(run, [&](pid_t) {
    if (auto figures = read_eta(run)) progress(figures->done);
    stopped = interrupted();
    return stopped ? FioTick::stop : FioTick::go_on;
  });
  if (stopped) check_interrupt();
  if (outcome.status != 0)
    throw environment_error("filling {} failed: {}", name_of(place), outcome.error);
  check_filled(read_file(directory / "fio.json"), place);
  progress(1);
}

uint64_t nbd_size_bytes(const std::string& uri) {
  const std::string text = run_checked(
      {.argv = {"qemu-img", "info", "--output=json", "-f", "raw", uri}}, std::chrono::seconds(30));
  const JsonDocument document = JsonDocument::parse(text, "qemu-img info " + uri);
  return JsonObject(document, "").number("virtual-size");
}

ZeroSamples sample_zeros(const std::string& device, uint64_t size_bytes, unsigned samples,
                         uint64_t seed) {
  Fd fd(open(device.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  if (!fd) throw environment_error("{}: cannot open: {}", device, strerror(errno));
  std::unique_ptr<void, decltype(&std::free)> buffer(
      std::aligned_alloc(kSampleBlockBytes, kSampleBlockBytes), std::free);
  if (!buffer) throw std::bad_alloc();
  ZeroSamples result;
  const uint64_t blocks = size_bytes / kSampleBlockBytes;
  if (blocks == 0) return result;
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < samples; ++i) {
    const uint64_t offset = random() % blocks * kSampleBlockBytes;
    ssize_t n = pread(fd.get(), buffer.get(), kSampleBlockBytes, static_cast<off_t>(offset));
    if (n != static_cast<ssize_t>(kSampleBlockBytes))
      throw environment_error("{}: cannot read 4 KiB at offset {}: {}", device, offset,
                              n < 0 ? strerror(errno) : "the device ends before");
    uint64_t bytes = 0;
    const size_t at = random() % (kSampleBlockBytes / sizeof(bytes)) * sizeof(bytes);
    memcpy(&bytes, static_cast<const char*>(buffer.get()) + at, sizeof(bytes));
    ++result.samples;
    if (bytes != 0) continue;
    ++result.zero;
    if (result.zero_offsets.size() < kNamedOffsets) result.zero_offsets.push_back(offset);
  }
  return result;
}

void prove_filled(const std::string& device, uint64_t size_bytes) {
  const ZeroSamples found = sample_zeros(device, size_bytes, kProofSamples, size_bytes);
  if (found.zero == 0) return;
  std::vector<std::string> offsets;
  for (uint64_t offset : found.zero_offsets) offsets.push_back(std::to_string(offset));
  throw environment_error(
      "{}: {} of {} sampled blocks are zero after filling it with random data (at {}{}): the "
      "device does not keep what is written, so figures of it would say nothing",
      device, found.zero, found.samples, join(offsets, ", "),
      found.zero > offsets.size() ? ", …" : "");
}

}  // namespace lab
