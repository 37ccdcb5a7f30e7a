#include "engines/io/sample.h"

#include <algorithm>
#include <random>
#include <vector>

#include "engines/io/in_flight.h"
#include "engines/io/zero_sample.h"

namespace lab::io {

ZeroSample sample_for_zeros(Device& device, const SampleOptions& options) {
  ZeroSample result;
  const uint64_t blocks = device.size_bytes() / options.block_bytes;
  if (blocks == 0) return result;
  struct Read {
    std::vector<unsigned char> data;
    Io io;
  };
  std::vector<Read> reads(std::max(1u, options.iodepth));
  std::vector<Read*> free_reads;
  for (Read& read : reads) {
    read.data.resize(options.block_bytes);
    read.io.user = &read;
    free_reads.push_back(&read);
  }

  std::mt19937_64 random(options.seed);
  std::uniform_int_distribution<uint64_t> place(0, blocks - 1);
  InFlight in_flight(device, reads.size(), "sampling reads");
  unsigned issued = 0;
  while (result.samples < options.samples) {
    for (; issued < options.samples && !free_reads.empty(); ++issued) {
      Read& read = *free_reads.back();
      free_reads.pop_back();
      read.io.op = Op::read;
      read.io.offset = place(random) * options.block_bytes;
      read.io.bytes = options.block_bytes;
      read.io.buffer = read.data.data();
      in_flight.submit(read.io);
    }
    for (Io* io : in_flight.reap()) {
      ++result.samples;
      if (samples_are_zero(io->buffer, io->bytes)) ++result.zeros;
      free_reads.push_back(static_cast<Read*>(io->user));
    }
  }
  return result;
}

}  // namespace lab::io
