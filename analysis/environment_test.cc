#include "analysis/environment.h"

#include <gtest/gtest.h>

#include "analysis/side_example.h"

namespace lab::analysis {
namespace {

Side with(const results::Manifest& manifest) {
  return example_side("/b", {}, "", four_blocks(), manifest);
}

std::vector<Difference> others(const Side& a, const Side& b) {
  return other_differences(a, "off", b, "off");
}

TEST(Environment, AlikeIsNothing) {
  EXPECT_TRUE(others(example_side("/a"), example_side("/b")).empty());
  EXPECT_TRUE(asked_differences(example_side("/a"), "off", example_side("/b"), "off").empty());
}

TEST(Environment, LevelsAreWhatWasAsked) {
  const Side a = example_side("/a");
  const std::vector<Difference> asked = {{"cache", "off", "writeback"}};
  EXPECT_EQ(asked_differences(a, "off", a, "writeback"), asked);
  EXPECT_TRUE(other_differences(a, "off", a, "writeback").empty())
      << "the settings that make the level are not a surprise";
}

TEST(Environment, NamesEveryCondition) {
  const Side a = example_side("/a");
  results::Manifest m = results::example_manifest();
  m.lab = "0.2.0";
  m.created = "2027-01-01T00:00:00.000Z";
  m.conditions = {{"fio", "fio-3.36"}, {"Ceph client", "17.2.6"}, {"kernel", "6.6"}};
  m.osds = {{0, "b", "jemalloc", "libjemalloc2", "5.3.0"}};
  const std::vector<Difference> expected = {
      {"lab", "0.1.0", "0.2.0"},
      {"fio", "fio-3.33", "fio-3.36"},
      {"Ceph client", "16.2.15", "17.2.6"},
      {"replicas", "2", "-"},
      {"OSD allocators", "osd.0: tcmalloc, libgoogle-perftools4 2.10-1",
       "osd.0: jemalloc, libjemalloc2 5.3.0"},
      {"hosts of the OSDs", "localhost", "b"},
      {"kernel", "-", "6.6"}};
  EXPECT_EQ(others(a, with(m)), expected);
}

TEST(Environment, AnImagesNameIsNoDifferenceButItsShapeIs) {
  results::Manifest m = results::example_manifest();
  m.conditions = {{"image", "rbd/lab-1, 2 GiB, written whole before"}};
  const Side a = with(m);
  m.conditions[0].second = "rbd/lab-2, 2 GiB, written whole before";
  EXPECT_TRUE(others(a, with(m)).empty());
  m.conditions[0].second = "rbd/lab-2, 2 GiB, not written";
  EXPECT_EQ(others(a, with(m)).size(), 1u);
}

TEST(Environment, TellsClustersAndWhatWasInEffect) {
  const Side a = example_side("/a");
  Side b = example_side("/b");
  for (RunFigures& run : b.table.runs) {
    run.record.fsid = "ffff";
    run.record.settings[0].effective = "writearound";
  }
  const std::vector<Difference> expected = {{"cluster (fsid)", "7d3c2a9e", "ffff"},
                                            {"cache mode, in effect", "off", "writearound"}};
  EXPECT_EQ(others(a, b), expected);
}

TEST(Environment, SettingsAreAskedWhereLevelsAreAlike) {
  const Side a = example_side("/a");
  Side b = example_side("/b");
  for (RunFigures& run : b.table.runs) run.record.settings[0].asked = "writearound";
  const std::vector<Difference> expected = {{"cache mode", "off", "writearound"}};
  EXPECT_EQ(asked_differences(a, "off", b, "off"), expected);
}

}  // namespace
}  // namespace lab::analysis
