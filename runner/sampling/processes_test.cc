#include "runner/sampling/processes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runner/base/temporary_directory.h"
#include "tests/complaint.h"

namespace lab::sampling {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(HasCommand, ByProgramOrBeginning) {
  using namespace std::string_view_literals;
  constexpr auto osd =
      "/usr/bin/ceph-osd\0-f\0--id\0"
      "1\0"sv;
  EXPECT_TRUE(has_command(osd, "ceph-osd"));
  EXPECT_TRUE(has_command(osd, "/usr/bin/ceph-osd -f --id 1"));
  EXPECT_FALSE(has_command(osd, "ceph"));
  EXPECT_FALSE(has_command(osd, "ceph-osd -f")) << "the path is part of the line";
  EXPECT_TRUE(has_command("redis-server *:6379"sv, "redis-server *:6379"))
      << "some programs write their line anew, without ends of arguments";
  EXPECT_FALSE(has_command(""sv, "kthreadd"));
}

// A sleep that nobody else has.
Child start_sleep(const std::string& tail) {
  return Child::start({.argv = {"sleep", "1000." + std::to_string(getpid()) + tail}});
}

std::string command_of(const std::string& tail) {
  return "sleep 1000." + std::to_string(getpid()) + tail;
}

TEST(FindProcess, ByItsCommand) {
  NamedProcess named{.name = "n", .command = command_of("1")};
  EXPECT_FALSE(find_process(named));
  const Child one = start_sleep("1");
  EXPECT_EQ(find_process(named)->pid, one.pid());
  const Child other = start_sleep("12");
  const std::string words = complaint([&] { find_process(named); });
  EXPECT_NE(words.find("is that of 2 processes: "), std::string::npos) << words;
  EXPECT_NE(words.find(std::to_string(one.pid())), std::string::npos) << words;
  EXPECT_NE(words.find(std::to_string(other.pid())), std::string::npos) << words;
  named.command = command_of("12");
  EXPECT_EQ(find_process(named)->pid, other.pid());
}

TEST(FindProcess, ByItsPidFile) {
  const TemporaryDirectory dir;
  const NamedProcess named{.name = "n", .pid_file = dir.path() / "pid"};
  EXPECT_FALSE(find_process(named)) << "it was not started yet";
  write_file_atomically(named.pid_file, "\n");
  EXPECT_FALSE(find_process(named));
  write_file_atomically(named.pid_file, std::to_string(getpid()) + "\n");
  EXPECT_EQ(find_process(named), identify(getpid()));
  write_file_atomically(named.pid_file, "none");
  EXPECT_EQ(complaint([&] { find_process(named); }),
            named.pid_file.string() + ": holds no process number");
}

TEST(SubjectsOf, AnInventory) {
  const std::vector<Subject> subjects = subjects_of(std::vector<NamedProcess>{
      {.name = "a", .command = command_of("3"), .metrics = "http://localhost/m"}});
  ASSERT_EQ(subjects.size(), 1u);
  EXPECT_EQ(subjects[0].name, "a");
  EXPECT_EQ(subjects[0].metrics, "http://localhost/m");
  const Child child = start_sleep("3");
  EXPECT_EQ(subjects[0].find()->pid, child.pid());
}

}  // namespace
}  // namespace lab::sampling
