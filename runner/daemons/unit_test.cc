#include "runner/daemons/unit.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"
#include "runner/daemons/systemd_driver.h"

namespace lab::daemons {
namespace {

Json answer() {
  return Json::parse(R"json({
    "LoadState": {"type": "s", "data": "loaded"}, "ActiveState": {"type": "s", "data": "active"},
    "Result": {"type": "s", "data": "success"}, "MainPID": {"type": "u", "data": 41},
    "DropInPaths": {"type": "as", "data": ["/etc/systemd/system/ceph-osd@0.service.d/read.conf"]},
    "NeedDaemonReload": {"type": "b", "data": false},
    "Environment": {"type": "as", "data": ["CLUSTER=ceph", "LD_PRELOAD=/a b.so"]},
    "UnsetEnvironment": {"type": "as", "data": []},
    "EnvironmentFiles": {"type": "a(sb)", "data": [["/etc/default/ceph", true]]},
    "InvocationID": {"type": "ay", "data": [10, 255]},
    "ExecStartEx": {
  "type" : "a(sasasttttuii)", "data" : [[
    "/usr/bin/ceph-osd", [ "/usr/bin/ceph-osd", "-f", "--cluster", "${CLUSTER}", "--id", "0" ],
    [], 0, 0, 0, 0, 0, 0, 0
  ]]
}
})json");
}

TEST(Unit, FromTheManagersAnswer) {
  const Unit unit = parse_unit("ceph-osd@0.service", answer());
  EXPECT_EQ(unit.active, "active");
  EXPECT_EQ(unit.pid, 41);
  EXPECT_EQ(unit.invocation, "0aff");
  ASSERT_EQ(unit.starts.size(), 1u);
  EXPECT_EQ(unit.starts[0].command[3], "${CLUSTER}");
  ASSERT_EQ(unit.environment_files.size(), 1u);
  EXPECT_TRUE(unit.environment_files[0].optional);
}

TEST(Unit, AnAnswerOfAnotherFormIsAnError) {
  Json without = answer();
  without.erase("ExecStartEx");
  EXPECT_THROW(parse_unit("u", without), Error);
  Json other = answer();
  other["MainPID"]["data"] = "41";
  EXPECT_THROW(parse_unit("u", other), Error);
}

TEST(Unit, FilesHoldAgainstVariablesAndTheLastFileOfAll) {
  const TemporaryDirectory directory;
  const fs::path own = directory.path() / "own.env";
  write_file_atomically(directory.path() / "1.env", "LD_PRELOAD=/one.so\nA=1\nB=1\n");
  write_file_atomically(directory.path() / "2.env", "A=2\n");
  write_file_atomically(own, "A=own\n");
  Unit unit = parse_unit("u", answer());
  unit.environment_files = {{(directory.path() / "[12].env").string(), false},
                            {(directory.path() / "absent").string(), true},
                            {own.string(), false}};
  unit.unset_environment = {"B", "A=other"};
  EXPECT_EQ(
      next_environment(unit, {{"LANG", "C"}, {"A", "0"}}, own),
      (Environment{{"LANG", "C"}, {"CLUSTER", "ceph"}, {"LD_PRELOAD", "/one.so"}, {"A", "2"}}));
  unit.environment_files.push_back({(directory.path() / "absent").string(), false});
  EXPECT_THROW(next_environment(unit, {}, own), Error);
}

TEST(Unit, DropInsThatTheManagerHasNotRead) {
  const TemporaryDirectory etc;
  const TemporaryDirectory run;
  const std::vector<std::string> directories = {etc.path(), run.path(), "/nowhere"};
  const Unit unit = parse_unit("ceph-osd@0.service", answer());
  const auto add = [](const fs::path& path) {
    make_directories(path.parent_path());
    write_file_atomically(path, "[Service]\n");
    return path;
  };
  add(run.path() / "ceph-osd@0.service.d/read.conf");
  add(run.path() / "ceph-osd@0.service.d/zz-lab.env");
  fs::create_directories(etc.path() / "ceph-osd@.service.d");
  fs::create_symlink("/dev/null", etc.path() / "ceph-osd@.service.d/masked.conf");
  add(run.path() / "ceph-osd@.service.d/masked.conf");
  add(run.path() / "ceph-osd@1.service.d/another.conf");
  EXPECT_TRUE(unread_drop_ins(unit, directories).empty());
  for (const char* directory :
       {"ceph-osd@0.service.d", "ceph-osd@.service.d", "ceph-.service.d", "service.d"}) {
    const fs::path path = add(etc.path() / directory / "new.conf");
    EXPECT_EQ(unread_drop_ins(unit, directories), std::vector<fs::path>{path});
    fs::remove(path);
  }
}

TEST(Unit, NamesOfDaemons) {
  for (const char* daemon : {"osd.0", "osd.17", "mon.host-1", "mgr.x", "rgw.a.rgw0"})
    EXPECT_EQ(daemon_of(unit_of(daemon)), daemon);
  EXPECT_EQ(unit_of("rgw.a"), "ceph-radosgw@rgw.a.service");
  EXPECT_EQ(daemon_of("ceph-crash.service"), "");
  EXPECT_EQ(daemon_of("ceph-osd@.service"), "");
  EXPECT_EQ(daemon_of("ceph-osd@0.slice"), "");
  EXPECT_THROW(unit_of("mds.a"), Error);
  EXPECT_THROW(unit_of("osd."), Error);
}

}  // namespace
}  // namespace lab::daemons
