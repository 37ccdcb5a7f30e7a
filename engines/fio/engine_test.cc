// The ioengine in the installed fio, on a real cluster.
#include <gtest/gtest.h>
#include <rbd/librbd.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "engines/io/counters.h"
#include "engines/rbd/image.h"
#include "engines/rbd/test_cluster.h"
#include "runner/base/process.h"

namespace lab::rbd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct FioResult {
  int status = -1;
  std::string err;
  Json json;

  // A field of the n-th job, e.g. at(0, "read", "total_ios").
  uint64_t at(size_t job, const char* direction, const char* field) const {
    return json["jobs"][job][direction][field].get<uint64_t>();
  }
};

class FioCluster : public ClusterTest {
 protected:
  void SetUp() override {
    ClusterTest::SetUp();
    if (!IsSkipped() && find_program("fio").empty()) GTEST_SKIP() << "fio is not installed";
  }

  // A job file: the engine and the image in [global], then `sections`.
  fs::path job_file(const std::string& image, const std::string& sections,
                    const std::string& engine = LAB_ENGINE) {
    fs::path path = dir_ / "job.fio";
    write_file_atomically(
        path,
        fmt::format("[global]\nioengine=external:{}\nconf={}\npool={}\nrbdname={}\n"
                    "effective={}\ndirect=1\nbs=4k\niodepth=8\n{}",
                    engine, conf_.string(), pool_name_, image, effective().string(), sections));
    return path;
  }
  fs::path effective() const { return dir_ / "effective.jsonl"; }

  Command fio_command(const fs::path& job) const {
    Command command{
        .argv = {"fio", job, "--output-format=json", "--output=" + (dir_ / "fio.json").string()}};
    command.directory = dir_;
    return command;
  }
  FioResult finish(const Finished& finished) const {
    FioResult result{.status = finished.status, .err = finished.err + finished.out};
    std::string text = read_file(dir_ / "fio.json");
    size_t begin = text.find("\n{");  // after what fio says to people
    result.err += text.substr(0, begin == std::string::npos && text[0] == '{' ? 0 : begin);
    result.json =
        Json::parse(text.substr(text[0] == '{' ? 0 : std::min(begin, text.size())), nullptr, false);
    return result;
  }
  FioResult fio(const std::string& image, const std::string& sections,
                const std::string& engine = LAB_ENGINE) {
    return finish(run_command(fio_command(job_file(image, sections, engine)), seconds(90)));
  }

  // Sums a key over the close records of a job name.
  uint64_t closed(const std::string& key, const std::string& job = "") const {
    uint64_t sum = 0;
    for (const Json& r : records(effective()))
      if (r["event"] == "close" && (job.empty() || r["job"] == job)) sum += r[key].get<uint64_t>();
    return sum;
  }
  // Reads that all OSDs have served since they started.
  uint64_t osd_reads() {
    uint64_t sum = 0;
    for (const Json& id : Json::parse(monitor({{"prefix", "osd ls"}, {"format", "json"}})))
      sum +=
          Json::parse(osd(id.get<int>(), {{"prefix", "perf dump"}}))["osd"]["op_r"].get<uint64_t>();
    return sum;
  }
  std::vector<std::string> events() const {
    std::vector<std::string> list;
    for (const Json& r : records(effective()))
      list.push_back(r["event"].get<std::string>() + " " + r["job"].get<std::string>());
    return list;
  }
  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
};

TEST_F(FioCluster, FiosCountsAreTheEnginesCounts) {
  std::string image = new_image(64 * kMiB, true);
  FioResult r = fio(image, "[mix]\ncache=off\nrw=randrw\nfsync=16\nnumber_ios=2000\n");
  ASSERT_EQ(r.status, 0) << r.err;
  // fio counts syncs in flight into number_ios when it stops.
  EXPECT_NEAR(static_cast<double>(r.at(0, "read", "total_ios") + r.at(0, "write", "total_ios")),
              2000, 8);
  EXPECT_EQ(r.at(0, "read", "total_ios"), closed("reads"));
  EXPECT_EQ(r.at(0, "write", "total_ios"), closed("writes"));
  EXPECT_EQ(r.at(0, "sync", "total_ios"), closed("syncs"));
  EXPECT_GT(closed("syncs"), 50u);
  EXPECT_EQ(closed("errors"), 0u);
  EXPECT_EQ(closed("zero_reads"), 0u);
}

TEST_F(FioCluster, ReadsOfAnUnwrittenImageAreCounted) {
  FioResult r = fio(new_image(64 * kMiB), "[read]\nrw=randread\nnumber_ios=500\n");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(closed("reads"), 500u);
  EXPECT_EQ(closed("zero_reads"), 500u);
}

TEST_F(FioCluster, TheCacheModeActsWhateverDirectSays) {
  std::string image = new_image(64 * kMiB);
  for (const char* direct : {"0", "1"}) {
    fs::remove(effective());
    FioResult r = fio(image, fmt::format("[w]\ncache=writeback\ndirect={}\nrw=randwrite\n"
                                         "number_ios=200\n",
                                         direct));
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(records(effective())[0]["cache_effective"], "writeback");
    EXPECT_EQ(records(effective())[0]["cache_objects"], "objectcacher");
  }
}

TEST_F(FioCluster, StartingOverKeepsTheCache) {
  // With direct=0, fio asks its engine to drop the cache after each pass.
  std::string image = new_image(16 * kMiB, true);
  for (const char* direct : {"0", "1"}) {
    fs::remove(effective());
    uint64_t before = osd_reads();
    FioResult r = fio(image, fmt::format("[r]\ncache=writethrough\ndirect={}\nrw=randread\n"
                                         "size=1m\ntime_based\nruntime=3\n",
                                         direct));
    ASSERT_EQ(r.status, 0) << r.err;
    // 256 misses; the rest of what the OSDs count is other tests'.
    EXPECT_GT(closed("reads"), 3 * (osd_reads() - before)) << "direct=" << direct;
  }
}

TEST_F(FioCluster, EverySectionOpensItsImageAnew) {
  std::string image = new_image(64 * kMiB, true);
  FioResult r = fio(image,
                    "size=8m\ncache=writeback\n[write]\nrw=write\n"
                    "[read]\nstonewall\nrw=read\n");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(events(),
            (std::vector<std::string>{"open write", "close write", "open read", "close read"}));
  EXPECT_EQ(closed("reads", "read"), 2048u);
  EXPECT_EQ(closed("zero_reads"), 0u);
}

TEST_F(FioCluster, JobsShareOneOpenImage) {
  std::string image = new_image(64 * kMiB, true);
  Child child = Child::start(fio_command(job_file(
      image, "group_reporting\ncache=off\n[w]\nnumjobs=4\nrw=randwrite\ntime_based\nruntime=4\n")));
  size_t most = 0;
  while (!child.wait(milliseconds(100))) {
    size_t now = watchers(image);
    if (now != SIZE_MAX) most = std::max(most, now);
  }
  EXPECT_EQ(most, 1u);
  FioResult r = finish({.status = *child.wait(seconds(1))});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.at(0, "write", "total_ios"), closed("writes"));
  std::vector<int> subjobs;
  for (const Json& line : records(effective()))
    if (line["event"] == "open") subjobs.push_back(line["subjob"]);
  std::sort(subjobs.begin(), subjobs.end());
  EXPECT_EQ(subjobs, (std::vector<int>{0, 1, 2, 3}));
}

TEST_F(FioCluster, LiveCountsReachTheCounterFile) {
  std::string image = new_image(64 * kMiB, true);
  std::string error;
  auto counters = io::CounterFile::create(dir_ / "counters", 4, &error);
  ASSERT_TRUE(counters) << error;
  Child child = Child::start(fio_command(
      job_file(image, fmt::format("counters={}\n[r]\nnumjobs=2\nrw=randread\ntime_based\n"
                                  "runtime=3\n",
                                  (dir_ / "counters").string()))));
  uint64_t last = 0;
  int grown = 0;
  while (!child.wait(milliseconds(300))) {
    uint64_t now = counters->totals().reads;
    if (now > last) ++grown;
    last = now;
  }
  EXPECT_EQ(*child.wait(seconds(1)), 0);
  EXPECT_GT(grown, 4);
  EXPECT_EQ(counters->totals().reads, closed("reads"));
  EXPECT_EQ(counters->totals().jobs, 2u);
}

TEST_F(FioCluster, VerifiesWhatItWrote) {
  std::string image = new_image(64 * kMiB);
  for (const char* cache : {"off", "writeback"}) {
    FioResult r = fio(image, fmt::format("[v]\ncache={}\nrw=randwrite\nsize=4m\nverify=crc32c\n"
                                         "verify_fatal=1\ndo_verify=1\n",
                                         cache));
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.at(0, "read", "total_ios"), 1024u);
  }
}

TEST_F(FioCluster, VerifyFindsForeignData) {
  std::string image = new_image(64 * kMiB, true);
  FioResult r = fio(image, "[v]\nrw=read\nsize=1m\nverify=crc32c\n");
  EXPECT_NE(r.status, 0);
  expect_in(r.err, "verify: bad");
}

TEST_F(FioCluster, TrimsAndSaysWhenTheyAreTooSmall) {
  std::string image = new_image(16 * kMiB, true);
  FioResult r =
      fio(image, "cache=off\n[trim]\nrw=trim\nbs=64k\n[read]\nstonewall\nrw=read\nbs=64k\n");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.at(0, "trim", "total_ios"), 256u);
  EXPECT_EQ(closed("trims"), 256u);
  EXPECT_EQ(closed("zero_reads", "read"), 256u);
  EXPECT_EQ(r.err.find("without trimming"), std::string::npos) << r.err;

  image = new_image(16 * kMiB, true);
  r = fio(image, "cache=off\n[trim]\nrw=trim\nsize=1m\n");
  ASSERT_EQ(r.status, 0) << r.err;
  expect_in(r.err, "rbd_discard_granularity_bytes (65536)");
  fs::remove(effective());
  r = fio(image,
          "cache=off\nsize=1m\nrados_conf=rbd_discard_granularity_bytes=4096\n"
          "[trim]\nrw=trim\n[read]\nstonewall\nrw=read\n");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(closed("zero_reads", "read"), 256u);
}

TEST_F(FioCluster, KeepsToRateAndRuntime) {
  std::string image = new_image(64 * kMiB, true);
  FioResult r = fio(image, "[r]\nrw=randread\nrate_iops=100\ntime_based\nruntime=3\n");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_NEAR(static_cast<double>(r.at(0, "read", "total_ios")), 300, 40);
}

TEST_F(FioCluster, MixedBlockSizesAndDeepQueues) {
  std::string image = new_image(64 * kMiB, true);
  FioResult r = fio(image,
                    "iodepth=256\niodepth_batch_submit=32\niodepth_batch_complete_min=8\n"
                    "iodepth_batch_complete_max=64\n[m]\ncache=off\nrw=randrw\n"
                    "bssplit=512/20:4k/60:128k/20\nnumber_ios=3000\n");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.at(0, "read", "total_ios"), closed("reads"));
  EXPECT_EQ(r.at(0, "write", "total_ios"), closed("writes"));
}

TEST_F(FioCluster, OneJobSetsUpInItsOwnProcess) {
  std::string image = new_image(64 * kMiB, true);
  FioResult r = fio(image, "create_serialize=0\n[r]\nrw=randread\nnumber_ios=100\n");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(closed("reads"), 100u);
}

TEST_F(FioCluster, RefusesWhatLiesBeyondTheImage) {
  std::string image = new_image(16 * kMiB);
  for (const char* reach : {"size=32m", "offset=8m\nsize=16m", "offset=16m", "filesize=17m"}) {
    FioResult r = fio(image, fmt::format("[r]\nrw=read\n{}\n", reach));
    EXPECT_NE(r.status, 0) << reach;
    expect_in(r.err, fmt::format("image {}/{} is 16777216 bytes", pool_name_, image));
  }
  for (const char* reach : {"size=16m", "offset=8m", "size=50%", "offset=50%\nsize=50%",
                            "offset=8m\nsize=8m\nio_size=10m"}) {
    FioResult r = fio(image, fmt::format("[r]\nrw=read\nbs=1m\n{}\n", reach));
    EXPECT_EQ(r.status, 0) << reach << r.err;
  }
}

TEST_F(FioCluster, ErrorsNameWhatIsWrong) {
  std::string image = new_image(16 * kMiB);
  FioResult r = fio(image, "pool=no-such-pool\n[r]\nrw=read\n");
  EXPECT_NE(r.status, 0);
  expect_in(r.err, "job r: there is no pool \"no-such-pool\"");
  r = fio("no-such-image", "[r]\nrw=read\n");
  EXPECT_NE(r.status, 0);
  expect_in(r.err, "there is no image \"no-such-image\"");
  r = fio(image, "nrfiles=2\n[r]\nrw=read\n");
  EXPECT_NE(r.status, 0);
  expect_in(r.err, "a job loads one image");
  r = fio(image, "cache=sometimes\n[r]\nrw=read\n");
  EXPECT_NE(r.status, 0);
  override_option(image, "rbd_cache", "true");
  r = fio(image, "cache=off\n[r]\nrw=read\n");
  EXPECT_NE(r.status, 0);
  expect_in(r.err, "rbd config image remove");
}

TEST_F(FioCluster, AnotherVersionOfFioIsRefusedBeforeMeasuring) {
  FioResult r = fio(new_image(16 * kMiB), "[r]\nrw=read\n", LAB_ENGINE_OF_OTHER_FIO);
  EXPECT_NE(r.status, 0);
  expect_in(r.err, "built for fio-0.0-other");
  expect_in(r.err, "./bootstrap");
  EXPECT_FALSE(fs::exists(effective()));
}

TEST_F(FioCluster, AnotherLayoutIsRefusedBeforeMeasuring) {
  FioResult r = fio(new_image(16 * kMiB), "lab_layout=7\n[r]\nrw=read\n");
  EXPECT_NE(r.status, 0);
  expect_in(r.err, "options are not where");
  EXPECT_FALSE(fs::exists(effective()));
}

TEST_F(FioCluster, AnIoErrorFailsTheJobAndIsCounted) {
  std::string image = new_image(64 * kMiB, true);
  Child child = Child::start(
      fio_command(job_file(image, "[r]\nrw=randread\nrandrepeat=0\ntime_based\nruntime=30\n")));
  while (!fs::exists(effective())) std::this_thread::sleep_for(milliseconds(100));
  std::this_thread::sleep_for(milliseconds(500));
  rbd_image_t handle = nullptr;
  ASSERT_EQ(rbd_open(pool(), image.c_str(), &handle, nullptr), 0);
  EXPECT_EQ(rbd_resize(handle, 16 * kMiB), 0);  // most reads are beyond the end now
  rbd_close(handle);
  auto status = child.wait(seconds(20));
  ASSERT_TRUE(status) << "fio went on in spite of errors";
  EXPECT_NE(*status, 0);
  EXPECT_GT(closed("errors"), 0u);
  EXPECT_GT(closed("reads"), 0u);
}

TEST_F(FioCluster, AnInterruptedJobStillFlushesAndReports) {
  std::string image = new_image(64 * kMiB, true);
  Child child = Child::start(
      fio_command(job_file(image, "[w]\ncache=writeback\nrw=randwrite\ntime_based\nruntime=60\n")));
  while (!fs::exists(effective())) std::this_thread::sleep_for(milliseconds(100));
  std::this_thread::sleep_for(seconds(1));
  child.stop(seconds(30));
  EXPECT_EQ(events(), (std::vector<std::string>{"open w", "close w"}));
  EXPECT_GT(closed("writes"), 0u);
  EXPECT_GT(records(effective()).back()["flush_s"], 0);
}

TEST_F(FioCluster, WorksByClientAndServer) {
  std::string image = new_image(64 * kMiB, true);
  int port = 20000 + getpid() % 10000;
  std::string address = fmt::format("127.0.0.1,{}", port);
  Child server = Child::start({.argv = {"fio", "--server=ip:" + address}});
  fs::path job = job_file(image,
                          "group_reporting\ncache=writeback\n[w]\nnumjobs=2\nrw=randwrite\n"
                          "number_ios=500\n[r]\nstonewall\nrw=randread\nnumber_ios=500\n");
  Command client = fio_command(job);
  client.argv.insert(client.argv.begin() + 1, "--client=" + address);
  Finished finished;
  for (int attempt = 0; attempt < 20 && finished.status != 0; ++attempt) {  // it may be starting
    std::this_thread::sleep_for(milliseconds(200));
    fs::remove(effective());
    finished = run_command(client, seconds(60));
  }
  ASSERT_EQ(finished.status, 0) << finished.err << finished.out;
  Json json = finish(finished).json;
  uint64_t writes = 0;
  for (const Json& job_result : json["client_stats"])
    if (job_result["jobname"] == "w") writes += job_result["write"]["total_ios"].get<uint64_t>();
  EXPECT_EQ(writes, 1000u);
  EXPECT_EQ(closed("writes"), 1000u);
  EXPECT_EQ(closed("reads"), 500u);
  server.stop(seconds(5));
}

}  // namespace
}  // namespace lab::rbd
