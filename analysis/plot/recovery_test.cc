#include <gtest/gtest.h>

#include "analysis/plot/drawing.h"
#include "analysis/recovery/recovery_example.h"
#include "runner/base/temporary_directory.h"

namespace lab::analysis {
namespace {

std::string data_of(const Drawing& drawing, const std::string& name) {
  for (const auto& [file, content] : drawing.data)
    if (file == name) return content;
  return "";
}

TEST(DrawRecoveries, APictureACellWithMemoryAndWhatClientsGot) {
  const TemporaryDirectory dir;
  const results::ResultReader reader = recoveries(dir.path(), {}, {.load = false});
  const std::vector<Drawing> drawings = draw_recoveries(reader.directory());
  ASSERT_EQ(drawings.size(), 2u);
  EXPECT_EQ(drawings[0].name, "recovery-off");
  EXPECT_NE(data_of(drawings[0], "recovery-off-memory.dat").find("osd.2"), std::string::npos);
  EXPECT_NE(data_of(drawings[0], "recovery-off-memory-phases.dat").find("recovering"),
            std::string::npos);
  // Logged at its end: a thousand reads in each of the first seconds.
  EXPECT_NE(data_of(drawings[0], "recovery-off-iops.dat").find("# \"reads\"\n1.000\t1000\n"),
            std::string::npos)
      << data_of(drawings[0], "recovery-off-iops.dat").substr(0, 300);
  EXPECT_NE(drawings[0].body.find("recovery-off-p99.dat"), std::string::npos);
  // Without load there is nothing of clients in the picture, nor in its legend.
  EXPECT_EQ(drawings[1].name, "recovery-writeback");
  EXPECT_EQ(data_of(drawings[1], "recovery-writeback-iops.dat"), "");
  EXPECT_EQ(data_of(drawings[1], "recovery-writeback-legend.dat").find("reads"), std::string::npos);
}

TEST(DrawRecoveries, OtherMeasurementsHaveNone) {
  const TemporaryDirectory dir;
  const results::ResultWriter writer = results::ResultWriter::create(
      dir.path(), results::example_manifest(), results::example_plan(), "[a]\n");
  EXPECT_TRUE(draw_recoveries(writer.directory()).empty());
}

}  // namespace
}  // namespace lab::analysis
