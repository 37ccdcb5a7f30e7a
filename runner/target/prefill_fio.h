// Fills a block device or an NBD export through fio itself, from the first to the last byte
// with incompressible data: reads of what was never written are answered without a disk.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/file.h"

namespace lab {

// Where to write: exactly one of `device` and `nbd_uri`.
struct FillPlace {
  std::string device;   // /dev/vdb
  std::string nbd_uri;  // nbd+unix:///?socket=/run/x.sock
  uint64_t size_bytes = 0;
};

// The job file. fio writes whole blocks only, so a size that is no multiple of 1 MiB gets a
// second section for its tail, with the largest block that fits.
std::string fill_job(const FillPlace& place);

// Throws lab::Error (Exit::environment) unless fio's JSON tells of no error and of exactly
// `size_bytes` written. `json` is the text of fio's --output-format=json.
void check_filled(std::string_view json, const FillPlace& place);

// Runs the job in `directory`, where its files are left, and checks it. `progress` is called
// with the part that is done, 0…1. Throws lab::Error if fio fails, or if it is interrupted.
void fill_with_fio(const FillPlace& place, const fs::path& directory,
                   const std::function<void(double)>& progress);

// Size of an NBD export, asked of `qemu-img`. Throws lab::Error (Exit::environment) if the
// export can't be reached.
uint64_t nbd_size_bytes(const std::string& uri);

struct ZeroSamples {
  unsigned samples = 0;
  unsigned zero = 0;                   // whose eight bytes are all zero
  std::vector<uint64_t> zero_offsets;  // the first few of them
};

// Reads `samples` random aligned 4 KiB blocks past the page cache and looks at eight random
// bytes of each. After a fill with random data, one of them is zero by chance once in 2^64.
// Throws lab::Error (Exit::environment) if the device can't be read.
ZeroSamples sample_zeros(const std::string& device, uint64_t size_bytes, unsigned samples,
                         uint64_t seed);

// Throws lab::Error (Exit::environment) if any sample is zero: the device is then not written
// everywhere, or drops what is written.
void prove_filled(const std::string& device, uint64_t size_bytes);

}  // namespace lab
