#include "inventory/inventory.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace lab {
namespace {

class InventoryTest : public ::testing::Test {
 protected:
  InventoryTest() {
    char pattern[] = "/tmp/lab-inventory-test-XXXXXX";
    dir_ = mkdtemp(pattern);
    write_file_atomically(dir_ / "ceph.conf", "[global]\n");
    write_file_atomically(dir_ / "ceph.keyring", "");
  }
  ~InventoryTest() override { fs::remove_all(dir_); }
  Inventory load(const std::string& text) {
    write_file_atomically(dir_ / "i.json", text);
    return load_inventory(dir_ / "i.json");
  }
  std::string complaint_about(const std::string& text) {
    std::string words = complaint([&] { load(text); });
    const std::string prefix = (dir_ / "").string();
    while (words.find(prefix) != std::string::npos) words.erase(words.find(prefix), prefix.size());
    return words;
  }
  fs::path dir_;
};

TEST_F(InventoryTest, ConfKeyringAndPoolAreEnough) {
  Inventory i = load(R"({"conf": "ceph.conf", "keyring": "ceph.keyring", "pool": "p"})");
  EXPECT_EQ(i.conf, dir_ / "ceph.conf");
  EXPECT_EQ(i.keyring, dir_ / "ceph.keyring");
  EXPECT_EQ(i.pool, "p");
  EXPECT_EQ(i.client, "client.admin");
  EXPECT_EQ(i.cluster_class, ClusterClass::production) << "the careful one is the default";
  EXPECT_FALSE(i.size_limit);
}

TEST_F(InventoryTest, ClientMayBeGivenAsCephOrAsFioWritesIt) {
  EXPECT_EQ(load(R"({"conf": "ceph.conf", "pool": "p", "client": "lab"})").client, "client.lab");
  EXPECT_EQ(load(R"({"conf": "ceph.conf", "pool": "p", "client": "client.lab"})").client,
            "client.lab");
}

TEST_F(InventoryTest, MistakesNameFileLineAndKey) {
  EXPECT_EQ(complaint_about("{\"conf\": \"ceph.conf\",\n\"pol\": \"p\"}"),
            "i.json:2: unknown key \"pol\" (did you mean \"pool\"?)");
  EXPECT_EQ(complaint_about("{\"conf\": \"absent.conf\",\n\"pool\": \"p\"}"),
            "i.json:1: conf absent.conf does not exist");
  EXPECT_EQ(complaint_about("{\"conf\": \"ceph.conf\", \"pool\": \"p\",\n\"class\": \"prod\"}"),
            "i.json:2: \"class\" is sandbox, staging or production, found \"prod\"");
  EXPECT_EQ(complaint_about("{\"conf\": \"ceph.conf\", \"pool\": \"p\",\n\"size_limit\": \"2 \"}"),
            "i.json:2: \"size_limit\" is below 4 MiB: that is one RADOS object");
}

TEST_F(InventoryTest, HowDaemonsAreStarted) {
  EXPECT_EQ(load(R"({"conf": "ceph.conf", "pool": "p"})").daemons, Inventory::Daemons::unknown);
  EXPECT_EQ(load(R"({"conf": "ceph.conf", "pool": "p", "daemons": "systemd"})").daemons,
            Inventory::Daemons::systemd);
  EXPECT_EQ(complaint_about("{\"conf\": \"ceph.conf\", \"pool\": \"p\",\n\"daemons\": \"cephadm\"}")
                .substr(0, 12),
            "i.json:2: \"d");
}

TEST_F(InventoryTest, ProcessesThatAreFollowed) {
  const std::string begin = "{\"conf\": \"ceph.conf\", \"pool\": \"p\",\n\"processes\": [";
  const Inventory i = load(begin + R"({"name": "gateway", "unit": "nginx.service"},
      {"name": "redis", "command": "redis-server", "metrics": "http://localhost:9121/metrics"},
      {"name": "mine", "pid_file": "run/mine.pid"}]})");
  ASSERT_EQ(i.processes.size(), 3u);
  EXPECT_EQ(i.processes[0].unit, "nginx.service");
  EXPECT_EQ(i.processes[1].command, "redis-server");
  EXPECT_EQ(i.processes[1].metrics, "http://localhost:9121/metrics");
  EXPECT_EQ(i.processes[2].pid_file, dir_ / "run/mine.pid");
  EXPECT_TRUE(load(R"({"conf": "ceph.conf", "pool": "p"})").processes.empty());

  EXPECT_EQ(complaint_about(begin + "{\"name\": \"a\"}]}"),
            "i.json:2: process \"a\" needs one of \"pid_file\", \"unit\" and \"command\"");
  EXPECT_EQ(complaint_about(begin + R"({"name": "a", "unit": "u", "command": "c"}]})"),
            "i.json:2: process \"a\" needs one of \"pid_file\", \"unit\" and \"command\"");
  EXPECT_EQ(complaint_about(begin + R"({"name": "a,b", "unit": "u"}]})"),
            "i.json:2: \"name\" of a process is one word without commas and quotes");
  EXPECT_EQ(complaint_about(begin + R"({"name": "a", "unit": "u"}, {"name": "a", "unit": "v"}]})"),
            "i.json:2: there are two processes named \"a\"");
  EXPECT_EQ(complaint_about(begin + R"({"name": "a", "unit": "u", "metrics": "https://x"}]})"),
            "i.json:2: \"metrics\" is http://HOST:PORT/PATH, found \"https://x\"");
  EXPECT_EQ(complaint_about(begin + R"({"name": "a", "unit": "u", "pid": 1}]})").substr(0, 27),
            "i.json:2: unknown key \"pid\"");
}

TEST_F(InventoryTest, ShippedSandboxLoads) {
  Inventory i = load_inventory(LAB_INVENTORY_DIR "/sandbox.json");
  EXPECT_TRUE(i.sandbox);
  EXPECT_EQ(i.cluster_class, ClusterClass::sandbox);
  EXPECT_TRUE(i.size_limit);
}

}  // namespace
}  // namespace lab
