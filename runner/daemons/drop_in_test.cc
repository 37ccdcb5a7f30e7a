#include "runner/daemons/drop_in.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"

namespace lab::daemons {
namespace {

struct DropInTest : ::testing::Test {
  TemporaryDirectory root;
  DropIn drop_in{root.path(), "ceph-osd@0.service"};
  fs::path directory = root.path() / "ceph-osd@0.service.d";
};

TEST_F(DropInTest, NothingIsNoFile) {
  EXPECT_TRUE(drop_in.read().empty());
  drop_in.write({});
  EXPECT_FALSE(fs::exists(directory));
}

TEST_F(DropInTest, ReadsWhatItWrote) {
  Addition addition;
  addition.variables = {{"LD_PRELOAD", {"/usr/lib/libjemalloc.so.2", {}}},
                        {"MALLOC_CONF", {"a \"b\" $c", "before"}},
                        {"TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES", {{}, "134217728"}}};
  addition.command = {"/opt/ceph b/bin/ceph-osd", "-f", "--cluster", "${CLUSTER}", "100%"};
  addition.found_program = "/usr/bin/ceph-osd";
  drop_in.write(addition);
  EXPECT_EQ(drop_in.read(), addition);
  EXPECT_EQ(
      parse_environment_file(read_file(drop_in.variables())),
      (Environment{{"LD_PRELOAD", "/usr/lib/libjemalloc.so.2"}, {"MALLOC_CONF", "a \"b\" $c"}}));
  const std::string text = read_file(drop_in.configuration());
  EXPECT_EQ(
      text.substr(text.find('\n') + 1),
      "[Service]\n"
      "EnvironmentFile=-" +
          drop_in.variables().string() +
          "\n"
          "UnsetEnvironment=TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES\n"
          "ExecStart=\n"
          "ExecStart=\"/opt/ceph b/bin/ceph-osd\" \"-f\" \"--cluster\" \"${CLUSTER}\" \"100%%\"\n");
  addition.variables.erase("LD_PRELOAD");
  addition.variables.erase("MALLOC_CONF");
  drop_in.write(addition);
  EXPECT_FALSE(fs::exists(drop_in.variables()));
  drop_in.write({});
  EXPECT_FALSE(fs::exists(directory));
}

TEST_F(DropInTest, OthersFilesStay) {
  make_directories(directory);
  write_file_atomically(directory / "override.conf", "[Service]\nNice=1\n");
  // A write that was cut off.
  write_file_atomically(directory / "zz-labels.conf", "");
  write_file_atomically(directory / "zz-lab.conf.tmp", "# Wri");
  Addition addition;
  addition.variables = {{"A", {{}, "1"}}};
  drop_in.write(addition);
  drop_in.write({});
  EXPECT_EQ(read_file(directory / "override.conf"), "[Service]\nNice=1\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), fs::directory_iterator()), 2);
}

TEST_F(DropInTest, AFileThatIsNotLabs) {
  make_directories(directory);
  write_file_atomically(drop_in.configuration(), "[Service]\n");
  EXPECT_THROW(drop_in.read(), Error);
  write_file_atomically(
      drop_in.configuration(),
      "# Written by lab for a measurement; `lab restore` removes it: {\n[Service]\n");
  EXPECT_THROW(drop_in.read(), Error);
}

}  // namespace
}  // namespace lab::daemons
