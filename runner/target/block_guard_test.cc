#include "runner/target/block_guard.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "runner/base/error.h"

namespace lab {
namespace {

BlockFacts idle_and_empty() {
  BlockFacts facts;
  facts.path = "/dev/disk/by-id/test-1";
  facts.device = "/dev/vdz";
  facts.exists = true;
  facts.size_bytes = 1 << 30;
  return facts;
}

void expect_objection(const BlockFacts& facts, const std::vector<std::string>& destroy,
                      const std::vector<std::string>& parts) {
  auto objection = objection_to_writing(facts, destroy);
  ASSERT_TRUE(objection.has_value());
  EXPECT_TRUE(objection->starts_with(facts.path + ": ")) << *objection;
  for (const std::string& part : parts)
    EXPECT_NE(objection->find(part), std::string::npos) << *objection << "\nlacks " << part;
}

TEST(ObjectionToWriting, NoneForAnUnusedEmptyDevice) {
  EXPECT_EQ(objection_to_writing(idle_and_empty(), {}), std::nullopt);
}

TEST(ObjectionToWriting, ContentNeedsTheDeviceToBeNamed) {
  BlockFacts facts = idle_and_empty();
  facts.contents = {"a file system of type xfs labelled \"backup\""};
  expect_objection(facts, {}, {"xfs labelled \"backup\"", "--destroy-data-on=" + facts.path});
  EXPECT_EQ(objection_to_writing(facts, {facts.path}), std::nullopt);
  EXPECT_EQ(objection_to_writing(facts, {"/dev/vdz"}), std::nullopt);
}

TEST(ObjectionToWriting, AnotherDevicesNameDoesNotHelp) {
  BlockFacts facts = idle_and_empty();
  facts.contents = {"a Ceph OSD (BlueStore)"};
  expect_objection(facts, {"/dev/vd", "/dev/vdz1"}, {"BlueStore", "names /dev/vd, /dev/vdz1 only"});
}

TEST(ObjectionToWriting, UseIsNeverOverridden) {
  for (const char* use : {"is mounted on /srv", "is swap space in use", "is held by dm-0 (vg-root)",
                          "its partition vdz1 is mounted on /"}) {
    BlockFacts facts = idle_and_empty();
    facts.uses = {use};
    // As it is in reality: the kernel refuses exclusive access then. The known reason is told.
    facts.open_error = EBUSY;
    expect_objection(facts, {facts.path, facts.device}, {use, "never"});
  }
}

TEST(ObjectionToWriting, AClaimOfTheKernelsIsUseWithoutAKnownReason) {
  BlockFacts facts = idle_and_empty();
  facts.open_error = EBUSY;
  expect_objection(facts, {facts.path}, {"exclusive access"});
}

TEST(ObjectionToWriting, SaysWhatElseIsWrongWithTheDevice) {
  BlockFacts facts = idle_and_empty();
  facts.read_only = true;
  expect_objection(facts, {facts.path}, {"read-only", "--setrw"});
  facts = idle_and_empty();
  facts.open_error = EACCES;
  expect_objection(facts, {facts.path}, {"Permission denied", "root"});
  facts = idle_and_empty();
  facts.size_bytes = 0;
  expect_objection(facts, {facts.path}, {"no size"});
  facts = idle_and_empty();
  facts.device.clear();
  expect_objection(facts, {facts.path}, {"not a block device"});
  facts.exists = false;
  expect_objection(facts, {facts.path}, {"no such device"});
}

}  // namespace
}  // namespace lab
