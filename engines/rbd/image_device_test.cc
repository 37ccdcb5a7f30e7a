// The RBD core on a real cluster.
#include "engines/rbd/image_device.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "engines/io/fill.h"
#include "engines/io/sample.h"
#include "engines/rbd/image.h"
#include "engines/rbd/test_cluster.h"
#include "runner/base/error.h"

namespace lab::rbd {
namespace {

using io::Io;
using io::Op;
using std::chrono::nanoseconds;

constexpr nanoseconds kForEver{-1};

class RbdCluster : public ClusterTest {
 protected:
  static Io run(io::Device& device, Op op, uint64_t offset, uint64_t bytes, void* buffer) {
    Io io{.op = op, .offset = offset, .bytes = bytes, .buffer = buffer};
    io.error = device.submit(io);
    if (io.error != 0) return io;
    Io* done = nullptr;
    EXPECT_EQ(device.reap({&done, 1}, 1, kForEver), 1u);
    EXPECT_EQ(done, &io);
    return io;
  }
  static std::string failure(const Options& options) {
    try {
      ImageDevice device(options);
    } catch (const Error& e) {
      return e.what();
    }
    return "(opened)";
  }
  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
};

TEST_F(RbdCluster, EveryCacheModeIsProven) {
  std::string image = new_image(16 * kMiB);
  for (CacheMode mode :
       {CacheMode::off, CacheMode::writethrough, CacheMode::writeback, CacheMode::writearound}) {
    Options o = options(image);
    o.cache = mode;
    o.effective = dir_ / to_text(mode);
    o.subjob = 5;
    {
      ImageDevice device(o);
      EXPECT_EQ(device.state().cache_effective, mode);
      EXPECT_EQ(device.state().object_cacher,
                mode == CacheMode::writethrough || mode == CacheMode::writeback);
    }
    std::vector<Json> r = records(o.effective);
    ASSERT_EQ(r.size(), 2u);
    EXPECT_EQ(r[0]["event"], "open");
    EXPECT_EQ(r[0]["cache_effective"], to_text(mode));
    EXPECT_EQ(r[0]["cache_objects"], mode == CacheMode::off           ? "none"
                                     : mode == CacheMode::writearound ? "writearound"
                                                                      : "objectcacher");
    EXPECT_EQ(r[0]["options"]["rbd_cache"]["value"], mode == CacheMode::off ? "false" : "true");
    EXPECT_EQ(r[0]["subjob"], 5);
    EXPECT_EQ(r[0]["size_bytes"], 16 * kMiB);
    EXPECT_EQ(r[1]["event"], "close");
  }
}

TEST_F(RbdCluster, ConfigSetsNothing) {
  std::string image = new_image(16 * kMiB);
  override_option(image, "rbd_cache_policy", "writethrough");
  ImageDevice device(options(image));
  EXPECT_EQ(device.state().cache_effective, CacheMode::writethrough);
  EXPECT_EQ(device.state().options.at("rbd_cache_policy").source, "image");
}

TEST_F(RbdCluster, OptionsOfLibradosAreToldAsTheConnectionHasThem) {
  Options o = options(new_image(16 * kMiB));
  o.rados_conf = "debug_ms=0,objecter_inflight_ops=64,rbd_readahead_max_bytes=0";
  o.effective = dir_ / "librados";
  { const ImageDevice device(o); }
  const std::vector<Json> r = records(o.effective);
  ASSERT_EQ(r.size(), 2u);
  EXPECT_EQ(r[0]["client_options"],
            Json::parse(R"({"debug_ms": {"value": "0/0", "source": "override"},
                            "objecter_inflight_ops": {"value": "64", "source": "override"}})"));
  EXPECT_EQ(r[0]["options"]["rbd_readahead_max_bytes"]["value"], "0");
}

TEST_F(RbdCluster, AnImagesOwnValueThatMasksTheModeIsRefused) {
  std::string image = new_image(16 * kMiB);
  override_option(image, "rbd_cache", "true");
  Options o = options(image);
  o.cache = CacheMode::off;
  std::string text = failure(o);
  expect_in(text, "rbd_cache is \"true\"");
  expect_in(text, "rbd config image remove " + pool_name_ + "/" + image + " rbd_cache");
  // The repair that the text names.
  remove_override(image, "rbd_cache");
  EXPECT_EQ(failure(o), "(opened)");
}

TEST_F(RbdCluster, APoolsValueThatMasksTheModeIsRefused) {
  use_pool("lab-engine-test-masked");
  std::string image = new_image(16 * kMiB);
  ASSERT_EQ(rbd_pool_metadata_set(pool(), "conf_rbd_cache_policy", "writearound"), 0);
  Options o = options(image);
  o.cache = CacheMode::writeback;
  expect_in(failure(o), "rbd config pool remove lab-engine-test-masked rbd_cache_policy");
  EXPECT_EQ(rbd_pool_metadata_remove(pool(), "conf_rbd_cache_policy"), 0);
  EXPECT_EQ(failure(o), "(opened)");
}

TEST_F(RbdCluster, ReadsWritesTrimsAndSyncs) {
  std::string image = new_image(16 * kMiB);
  Options o = options(image);
  o.cache = CacheMode::off;
  ImageDevice device(o);
  std::string written(65536, 'w');
  std::string read(65536, '?');
  EXPECT_EQ(run(device, Op::write, 65536, 65536, written.data()).error, 0);
  EXPECT_EQ(run(device, Op::sync, 0, 0, nullptr).error, 0);
  Io io = run(device, Op::read, 65536, 65536, read.data());
  EXPECT_EQ(io.error, 0);
  EXPECT_EQ(io.residual, 0u);
  EXPECT_EQ(read, written);
  EXPECT_EQ(run(device, Op::trim, 65536, 65536, nullptr).error, 0);
  EXPECT_EQ(run(device, Op::read, 65536, 65536, read.data()).error, 0);
  EXPECT_EQ(read, std::string(65536, '\0'));
  const JobCounts& counts = device.counts();
  EXPECT_EQ(counts.reads, 2u);
  EXPECT_EQ(counts.zero_reads, 1u);
  EXPECT_EQ(counts.writes, 1u);
  EXPECT_EQ(counts.trims, 1u);
  EXPECT_EQ(counts.syncs, 1u);
  EXPECT_EQ(counts.errors, 0u);
  EXPECT_EQ(counts.read_bytes, 131072u);
}

TEST_F(RbdCluster, WhatLiesBeyondTheImageIsShortOrAnError) {
  std::string image = new_image(16 * kMiB);
  ImageDevice device(options(image));
  std::string buffer(8192, 'x');
  Io shorter = run(device, Op::read, 16 * kMiB - 4096, 8192, buffer.data());
  EXPECT_EQ(shorter.error, 0);
  EXPECT_EQ(shorter.residual, 4096u);
  Io beyond = run(device, Op::write, 17 * kMiB, 4096, buffer.data());
  EXPECT_EQ(beyond.error, EINVAL);
  EXPECT_EQ(device.counts().errors, 1u);
  EXPECT_EQ(device.counts().writes, 0u);
}

TEST_F(RbdCluster, FillingLeavesNoZeros) {
  std::string image = new_image(40 * kMiB + 4096);
  EXPECT_EQ(written_bytes(pool(), image), 0u);
  Options o = options(image);
  o.cache = CacheMode::off;
  ImageDevice device(o);
  std::string buffer(4096, 'x');
  run(device, Op::read, 0, 4096, buffer.data());
  EXPECT_EQ(device.counts().zero_reads, 1u);
  io::FillResult filled = io::fill(device, {});
  EXPECT_EQ(filled.bytes, 40 * kMiB + 4096);
  EXPECT_EQ(written_bytes(pool(), image), 40 * kMiB + 4096);
  for (uint64_t offset = 0; offset < 40 * kMiB; offset += kMiB)
    EXPECT_EQ(run(device, Op::read, offset, 4096, buffer.data()).error, 0);
  EXPECT_EQ(device.counts().zero_reads, 1u);
}

TEST_F(RbdCluster, WrittenBytesEndWithAnObjectsLastByte) {
  std::string image = new_image(16 * kMiB);
  Options o = options(image);
  o.cache = CacheMode::off;
  ImageDevice device(o);
  std::string buffer(4096, 'x');
  run(device, Op::write, 4 * kMiB, 4096, buffer.data());
  run(device, Op::write, 8 * kMiB, 4096, buffer.data());
  EXPECT_EQ(written_bytes(pool(), image), 8192u);
  // The hole before a late write counts too: that is why there is sampling.
  run(device, Op::write, 8 * kMiB - 4096, 4096, buffer.data());
  EXPECT_EQ(written_bytes(pool(), image), 4 * kMiB + 4096);
  io::ZeroSample sample = io::sample_for_zeros(device, {.samples = 512});
  EXPECT_EQ(sample.samples, 512u);
  EXPECT_GT(sample.zeros, 490u);
  io::fill(device, {});
  EXPECT_EQ(io::sample_for_zeros(device, {}).zeros, 0u);
}

TEST_F(RbdCluster, JobsOfAProcessShareOneHandle) {
  std::string image = new_image(16 * kMiB, true);
  Options o = options(image);
  o.cache = CacheMode::writeback;
  EXPECT_EQ(watchers(image), 0u);
  std::vector<std::unique_ptr<ImageDevice>> devices;
  for (int i = 0; i < 4; ++i) devices.push_back(std::make_unique<ImageDevice>(o));
  EXPECT_EQ(watchers(image), 1u);
  // Completions find their own job, with all jobs at it at once.
  {
    std::vector<std::jthread> jobs;
    for (auto& device : devices)
      jobs.emplace_back([&d = *device] {
        constexpr size_t kDepth = 32;
        std::vector<Io> ios(kDepth);
        std::vector<std::string> buffers(kDepth, std::string(4096, 'x'));
        for (int round = 0; round < 20; ++round) {
          for (size_t i = 0; i < kDepth; ++i) {
            ios[i] = {.op = i % 4 == 0 ? Op::write : Op::read,
                      .offset = (i * 37 + static_cast<size_t>(round)) * 4096 % (16 * kMiB),
                      .bytes = 4096,
                      .buffer = buffers[i].data()};
            ASSERT_EQ(d.submit(ios[i]), 0);
          }
          std::array<Io*, kDepth> done{};
          size_t got = 0;
          while (got < kDepth) {
            size_t n = d.reap(done, 1, kForEver);
            for (size_t i = 0; i < n; ++i) {
              ASSERT_GE(done[i], &ios.front());
              ASSERT_LE(done[i], &ios.back());
              ASSERT_EQ(done[i]->error, 0);
            }
            got += n;
          }
        }
      });
  }
  for (auto& device : devices) {
    EXPECT_EQ(device->counts().reads, 480u);
    EXPECT_EQ(device->counts().writes, 160u);
    EXPECT_EQ(device->counts().zero_reads, 0u);
  }
  devices.pop_back();
  EXPECT_EQ(watchers(image), 1u);
  devices.clear();
  EXPECT_EQ(watchers(image), 0u);
}

TEST_F(RbdCluster, JobsWithOtherOptionsDoNotShare) {
  std::string image = new_image(16 * kMiB);
  Options off = options(image);
  off.cache = CacheMode::off;
  Options back = options(image);
  back.cache = CacheMode::writeback;
  ImageDevice a(off);
  ImageDevice b(back);
  EXPECT_EQ(watchers(image), 2u);
  EXPECT_FALSE(a.state().object_cacher);
  EXPECT_TRUE(b.state().object_cacher);
}

TEST_F(RbdCluster, CloseWaitsForWhatIsInFlightAndCountsTheFlush) {
  std::string image = new_image(64 * kMiB);
  Options o = options(image);
  o.cache = CacheMode::writeback;
  o.effective = dir_ / "effective";
  ImageDevice device(o);
  std::string data(kMiB, 'd');
  std::vector<Io> ios(32);
  for (size_t i = 0; i < ios.size(); ++i) {
    ios[i] = {.op = Op::write, .offset = i * kMiB, .bytes = kMiB, .buffer = data.data()};
    ASSERT_EQ(device.submit(ios[i]), 0);
  }
  device.close();
  Json closed = records(o.effective).back();
  EXPECT_EQ(closed["writes"], 32);
  EXPECT_GT(closed["flush_s"], 0);
  EXPECT_EQ(written_bytes(pool(), image), 32 * kMiB);
}

TEST_F(RbdCluster, CountsAreLiveInTheCounterFile) {
  std::string image = new_image(16 * kMiB);
  std::string error;
  auto counters = io::CounterFile::create(dir_ / "counters", 2, &error);
  ASSERT_TRUE(counters) << error;
  Options o = options(image);
  o.counters = dir_ / "counters";
  ImageDevice a(o);
  ImageDevice b(o);
  ImageDevice c(o);  // without a slot: works, and counts nowhere
  std::string buffer(4096, 'x');
  run(a, Op::read, 0, 4096, buffer.data());
  run(b, Op::write, 0, 4096, buffer.data());
  run(c, Op::write, 0, 4096, buffer.data());
  io::CounterTotals totals = counters->totals();
  EXPECT_EQ(totals.reads, 1u);
  EXPECT_EQ(totals.zero_reads, 1u);
  EXPECT_EQ(totals.writes, 1u);
  EXPECT_EQ(totals.write_bytes, 4096u);
  o.counters = dir_ / "absent";
  expect_in(failure(o), "absent");
}

TEST_F(RbdCluster, LeavesNothingInTheFileSystem) {
  std::string image = new_image(16 * kMiB);
  const char* before = getenv("TMPDIR");
  std::string old = before ? before : "";
  fs::path tmp = dir_ / "tmp";
  make_directories(tmp);
  setenv("TMPDIR", tmp.c_str(), 1);
  {
    ImageDevice device(options(image));
    EXPECT_TRUE(fs::is_empty(tmp));
  }
  EXPECT_TRUE(fs::is_empty(tmp));
  if (before)
    setenv("TMPDIR", old.c_str(), 1);
  else
    unsetenv("TMPDIR");
}

TEST_F(RbdCluster, WhatIsNotThereIsNamed) {
  std::string image = new_image(16 * kMiB);
  Options o = options(image);
  o.pool = "no-such-pool";
  expect_in(failure(o), "no pool \"no-such-pool\"");
  o = options("no-such-image");
  expect_in(failure(o), "no image \"no-such-image\" in " + pool_name_);
  o = options(image);
  o.name_space = "nowhere";
  expect_in(failure(o), "no namespace \"nowhere\"");
  o = options(image);
  o.conf = "/nonexistent/ceph.conf";
  expect_in(failure(o), "conf=/nonexistent/ceph.conf: cannot read");
  o = options(image);
  o.keyring = "/nonexistent/keyring";
  expect_in(failure(o), "keyring=/nonexistent/keyring: cannot read");
  o = options(image);
  o.rados_conf = "rbd_cahce=true";
  expect_in(failure(o), "rbd_cahce");
  o.rados_conf = "rbd_cache_size=many";
  expect_in(failure(o), "\"many\"");
}

TEST_F(RbdCluster, NamespacesHaveTheirOwnImages) {
  std::string space = fmt::format("ns-{}", getpid());
  ASSERT_EQ(rbd_namespace_create(pool(), space.c_str()), 0);
  Pool inside(cluster(), pool_name_, space);
  create_image(inside.get(), "image", 16 * kMiB, 0, "test");
  Options o = options("image");
  o.name_space = space;
  o.cache = CacheMode::writeback;
  {
    ImageDevice device(o);
    EXPECT_EQ(device.size_bytes(), 16 * kMiB);
  }
  remove_image(inside.get(), "image");
  EXPECT_EQ(rbd_namespace_remove(pool(), space.c_str()), 0);
}

TEST_F(RbdCluster, MissingRightsAreExplained) {
  std::string image = new_image(16 * kMiB);
  Options o = options(image);
  o.keyring = new_client("lab-nothing", {{"mon", "allow r"}});
  o.clientname = o.keyring.substr(o.keyring.rfind('/') + 1);
  o.clientname.resize(o.clientname.size() - strlen(".keyring"));
  std::string text = failure(o);
  expect_in(text, o.clientname + " may not open image " + pool_name_ + "/" + image);
  expect_in(text, "profile rbd");
  // A client whom the keyring doesn't know.
  o.clientname = "lab-unknown";
  expect_in(failure(o), "as client.lab-unknown");
  // A key that the cluster doesn't know.
  o.clientname = "client.lab-stranger";
  o.keyring = dir_ / "stranger.keyring";
  write_file_atomically(o.keyring,
                        "[client.lab-stranger]\n\tkey = "
                        "AQBMUbpgAAAAABAAZ0Zp0bXhuxJJg0KZzAM0Aw==\n");
  expect_in(failure(o), "doesn't accept its key");
}

TEST_F(RbdCluster, AnUnreachableMonitorEndsInTime) {
  fs::path conf = dir_ / "ceph.conf";
  write_file_atomically(conf,
                        "[global]\nfsid = 00000000-0000-0000-0000-000000000001\n"
                        "mon host = v2:127.0.0.1:1\nauth client required = none\n");
  Options o = options("image");
  o.conf = conf;
  o.rados_conf = "client_mount_timeout=2";
  auto start = std::chrono::steady_clock::now();
  expect_in(failure(o), "no monitor answered within 2");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(RbdCluster, ASizeIsAskedOnceAndAFailureToo) {
  std::string image = new_image(16 * kMiB);
  EXPECT_EQ(image_size(options(image)), 16 * kMiB);
  remove_image(pool(), image);
  EXPECT_EQ(image_size(options(image)), 16 * kMiB);  // not asked again

  fs::path conf = dir_ / "ceph.conf";
  write_file_atomically(conf,
                        "[global]\nfsid = 00000000-0000-0000-0000-000000000001\n"
                        "mon host = v2:127.0.0.1:1\nauth client required = none\n");
  Options o = options("image");
  o.conf = conf;
  o.rados_conf = "client_mount_timeout=2";
  EXPECT_THROW(image_size(o), Error);
  auto start = std::chrono::steady_clock::now();
  o.rbdname = "image2";
  for (int job = 0; job < 100; ++job) EXPECT_THROW(image_size(o), Error);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST_F(RbdCluster, OnlyMarkedImagesAreRemoved) {
  std::string image = new_image(16 * kMiB);
  ImageInfo info = image_info(pool(), image);
  EXPECT_EQ(info.size_bytes, 16 * kMiB);
  EXPECT_EQ(info.object_bytes, 4 * kMiB);
  EXPECT_EQ(info.mark, "test");
  EXPECT_FALSE(info.id.empty());

  std::string foreign = fmt::format("foreign-{}", getpid());
  int order = 0;
  ASSERT_EQ(rbd_create(pool(), foreign.c_str(), 4 * kMiB, &order), 0);
  try {
    remove_image(pool(), foreign);
    ADD_FAILURE() << "removed";
  } catch (const Error& e) {
    expect_in(e.what(), "was not made by lab");
  }
  EXPECT_TRUE(image_exists(pool(), foreign));
  EXPECT_EQ(rbd_remove(pool(), foreign.c_str()), 0);

  {
    ImageDevice user(options(image));
    EXPECT_THROW(remove_image(pool(), image), Error);
  }
  remove_image(pool(), image);
  EXPECT_FALSE(image_exists(pool(), image));
  EXPECT_THROW(image_info(pool(), image), Error);
}

TEST_F(RbdCluster, ObjectSizesArePowersOfTwo) {
  std::string image = fmt::format("objects-{}", getpid());
  EXPECT_THROW(create_image(pool(), image, 4 * kMiB, 3 * kMiB, "test"), Error);
  EXPECT_THROW(create_image(pool(), image, 4 * kMiB, 0, ""), Error);
  create_image(pool(), image, 4 * kMiB, kMiB, "test");
  EXPECT_EQ(image_info(pool(), image).object_bytes, kMiB);
  EXPECT_THROW(create_image(pool(), image, 4 * kMiB, 0, "test"), Error);
  remove_image(pool(), image);
}

TEST_F(RbdCluster, DroppingTheCacheReadsFromTheCluster) {
  std::string image = new_image(16 * kMiB);
  Options o = options(image);
  o.cache = CacheMode::writeback;
  ImageDevice device(o);
  std::string buffer(4096, 'x');
  run(device, Op::write, 0, 4096, buffer.data());
  device.drop_cache();
  EXPECT_EQ(written_bytes(pool(), image), 4096u);
  EXPECT_EQ(run(device, Op::read, 0, 4096, buffer.data()).error, 0);
  EXPECT_EQ(buffer, std::string(4096, 'x'));
}

}  // namespace
}  // namespace lab::rbd
