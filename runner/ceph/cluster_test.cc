#include "runner/ceph/cluster.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

namespace lab::ceph {
namespace {

const Access kAccess{.conf = "/x/ceph.conf", .client = "client.lab"};

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(ConnectFailure, EachSaysWhatToDo) {
  auto text = [](int error) {
    return explain_connect_failure(kAccess, error, std::chrono::seconds(7));
  };
  EXPECT_TRUE(mentions(text(-ETIMEDOUT), "/x/ceph.conf"));
  EXPECT_TRUE(mentions(text(-ETIMEDOUT), "within 7 s"));
  EXPECT_TRUE(mentions(text(-ENOENT), "no key for client.lab"));
  EXPECT_TRUE(mentions(text(-EACCES), "client.lab was refused"));
  EXPECT_TRUE(mentions(text(-EPERM), "client.lab was refused"));
  EXPECT_TRUE(mentions(text(-EIO), "Input/output error"));
}

TEST(ConnectFailure, AGivenKeyringIsNamed) {
  Access access = kAccess;
  access.keyring = "/x/keyring";
  EXPECT_TRUE(
      mentions(explain_connect_failure(access, -ENOENT, std::chrono::seconds(1)), "/x/keyring"));
}

TEST(CommandFailure, MissingCapsNameTheClient) {
  std::string text = explain_command_failure(kAccess, "monitor", "osd set", -EACCES, "");
  EXPECT_TRUE(mentions(text, "\"osd set\""));
  EXPECT_TRUE(mentions(text, "client.lab"));
  EXPECT_TRUE(mentions(text, "caps are missing"));
}

TEST(CommandFailure, OthersQuoteTheCluster) {
  std::string text =
      explain_command_failure(kAccess, "monitor", "osd set", -EINVAL, "unrecognized flag");
  EXPECT_TRUE(mentions(text, "Invalid argument: unrecognized flag"));
  EXPECT_TRUE(mentions(explain_command_failure(kAccess, "osd.3", "perf dump", -ENXIO, ""),
                       "osd.3 is down"));
}

TEST(Connect, AMissingFileIsNamed) {
  try {
    Cluster::connect({.conf = "/no/such/ceph.conf"}, std::chrono::seconds(1));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::environment);
    EXPECT_TRUE(mentions(e.what(), "/no/such/ceph.conf"));
  }
}

// A configuration of a cluster that doesn't answer (nobody listens on port 1).
class DeadCluster : public testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() / fmt::format("lab-cluster-test-{}", getpid());
    make_directories(dir_);
    write_file_atomically(dir_ / "ceph.conf",
                          "[global]\nmon_host = 127.0.0.1:1\nauth_client_required = cephx\n");
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::string failure(const fs::path& keyring) {
    try {
      Cluster::connect({.conf = dir_ / "ceph.conf", .keyring = keyring}, std::chrono::seconds(1));
    } catch (const Error& e) {
      return e.what();
    }
    return "connected";
  }

  fs::path dir_;
};

TEST_F(DeadCluster, AMissingKeyringIsNamed) {
  EXPECT_TRUE(mentions(failure(dir_ / "keyring"), (dir_ / "keyring").string()));
}

TEST_F(DeadCluster, NoAnswerEndsInTime) {
  write_file_atomically(dir_ / "keyring",
                        "[client.admin]\n\tkey = AQAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAA\n", 0600);
  auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(mentions(failure(dir_ / "keyring"), "no answer from the monitors within 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace lab::ceph
