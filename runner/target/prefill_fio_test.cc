#include "runner/target/prefill_fio.h"

#include <gtest/gtest.h>

#include <thread>

#include "runner/base/error.h"
#include "runner/base/process.h"
#include "runner/target/loop_device_for_test.h"

namespace lab {
namespace {

constexpr uint64_t kMiB = 1 << 20;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::environment);
    return e.what();
  }
  return "no error";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(FillJob, WritesAWholeDevice) {
  EXPECT_EQ(fill_job({.device = "/dev/vdz", .size_bytes = 8 * kMiB}),
            "[global]\n"
            "ioengine=libaio\n"
            "direct=1\n"
            "filename=/dev/vdz\n"
            "thread\n"
            "iodepth=16\n"
            "refill_buffers\n"
            "norandommap\n"
            "end_fsync=1\n"
            "\n"
            "[fill]\n"
            "rw=write\n"
            "bs=1048576\n"
            "offset=0\n"
            "size=8388608\n"
            "stonewall\n");
}

TEST(FillJob, ATailIsWrittenWithTheLargestBlockThatFits) {
  std::string job = fill_job({.nbd_uri = "nbd://localhost", .size_bytes = 2 * kMiB + 12288});
  EXPECT_TRUE(has(job, "ioengine=nbd\nuri=nbd://localhost\n")) << job;
  EXPECT_TRUE(has(job, "[fill]\nrw=write\nbs=1048576\noffset=0\nsize=2097152\n")) << job;
  EXPECT_TRUE(has(job, "[tail]\nrw=write\nbs=4096\noffset=2097152\nsize=12288\n")) << job;
  job = fill_job({.device = "/dev/vdz", .size_bytes = 512});
  EXPECT_FALSE(has(job, "[fill]")) << job;
}

TEST(CheckFilled, CountsTheBytesOfAllSections) {
  const FillPlace place{.device = "/dev/vdz", .size_bytes = 3000};
  const auto json = [](int error, int first, int second) {
    return fmt::format(
        R"({{"fio version": "fio-3.33", "jobs": [{{"jobname": "fill", "error": {}, "write": {{"io_bytes": {}}}}},
                      {{"jobname": "tail", "error": 0, "write": {{"io_bytes": {}}}}}]}})",
        error, first, second);
  };
  EXPECT_NO_THROW(check_filled(json(0, 2000, 1000), place));
  std::string text = message_of([&] { check_filled(json(0, 2000, 999), place); });
  EXPECT_TRUE(has(text, "2999 of 3000")) << text;
  text = message_of([&] { check_filled(json(28, 3000, 0), place); });
  EXPECT_TRUE(has(text, "No space left")) << text;
  EXPECT_TRUE(has(text, "\"fill\"")) << text;
}

class FillTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (auto reason = LoopDevice::why_not()) GTEST_SKIP() << *reason;
  }
  TemporaryDirectory directory_;
};

TEST_F(FillTest, EveryBlockOfADeviceIsWrittenToTheLastByte) {
  const uint64_t size = 8 * kMiB + 12288;
  LoopDevice loop(size);
  double done = -1;
  EXPECT_EQ(sample_zeros(loop.device(), size, 50, 1).zero, 50u);
  fill_with_fio({.device = loop.device(), .size_bytes = size}, directory_.path() / "fill",
                [&](double d) { done = d; });
  EXPECT_EQ(done, 1);
  ZeroSamples found = sample_zeros(loop.device(), size, 4000, 2);
  EXPECT_EQ(found.samples, 4000u);
  EXPECT_EQ(found.zero, 0u);
  EXPECT_NO_THROW(prove_filled(loop.device(), size));
}

TEST_F(FillTest, AHoleIsFound) {
  const uint64_t size = 8 * kMiB;
  LoopDevice loop(size);
  loop.write(0, std::string(6 * kMiB, 'x'));
  std::string text = message_of([&] { prove_filled(loop.device(), size); });
  EXPECT_TRUE(has(text, loop.device())) << text;
  EXPECT_TRUE(has(text, "of 1024 sampled blocks are zero")) << text;
  ZeroSamples found = sample_zeros(loop.device(), size, 1000, 3);
  EXPECT_NEAR(found.zero, 250, 100);
  for (uint64_t offset : found.zero_offsets) EXPECT_GE(offset, 6 * kMiB);
}

TEST_F(FillTest, ADeviceThatFailsIsNamed) {
  LoopDevice loop(kMiB);
  std::string text = message_of([&] {
    fill_with_fio({.device = loop.device(), .size_bytes = 2 * kMiB}, directory_.path() / "fill",
                  [](double) {});
  });
  EXPECT_TRUE(has(text, loop.device())) << text;
}

// An NBD export of a plain file.
class NbdTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (find_program("qemu-nbd").empty()) GTEST_SKIP() << "no qemu-nbd here (package qemu-utils)";
    fs::path image = directory_.path() / "image";
    write_file_atomically(image, "");
    fs::resize_file(image, kSize);
    fs::path socket = directory_.path() / "socket";
    server_.emplace(Child::start({.argv = {"qemu-nbd", "--persistent", "--format=raw",
                                           "--socket=" + socket.string(), image.string()}}));
    for (int i = 0; i < 100 && !fs::exists(socket); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    uri_ = "nbd+unix:///?socket=" + socket.string();
  }
  static constexpr uint64_t kSize = 4 * kMiB + 8192;
  TemporaryDirectory directory_;
  std::optional<Child> server_;
  std::string uri_;
};

TEST_F(NbdTest, AnExportIsWrittenToTheLastByte) {
  EXPECT_EQ(nbd_size_bytes(uri_), kSize);
  fill_with_fio({.nbd_uri = uri_, .size_bytes = kSize}, directory_.path() / "fill", [](double) {});
  const std::string content = read_file(directory_.path() / "image");
  ASSERT_EQ(content.size(), kSize);
  for (size_t at = 0; at < kSize; at += 4096)
    EXPECT_NE(content.substr(at, 64), std::string(64, '\0')) << "at " << at;
}

TEST_F(NbdTest, AnExportThatIsNotThereIsNamed) {
  std::string text = message_of([&] { nbd_size_bytes(uri_ + "-absent"); });
  EXPECT_TRUE(has(text, "socket-absent")) << text;
}

}  // namespace
}  // namespace lab
