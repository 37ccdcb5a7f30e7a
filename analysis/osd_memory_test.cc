#include "analysis/osd_memory.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"

namespace lab::analysis {
namespace {

TEST(OsdMemory, TakesThePeakOfEveryOsdInAndOutOfRecovery) {
  const TemporaryDirectory directory;
  write_file_atomically(directory.path() / "samples.csv",
                        "time_s,wall,phase,daemon,metric,value\n"
                        "0,t,baseline,osd.0,rss,100\n"
                        "1,t,load,osd.0,rss,300\n"
                        "1,t,load,osd.1,rss,50\n"
                        "1,t,load,osd.1,peak_rss,9999\n"
                        "1,t,load,mon.a,rss,7777\n"
                        "spoilt\n"
                        "2,t,recovering,osd.0,rss,400\n"
                        "3,t,cooldown,osd.0,rss,200\n");
  const OsdMemory memory = load_osd_memory(directory.path());
  EXPECT_EQ(memory.normal, std::vector<double>({300, 50}));
  EXPECT_EQ(memory.in_recovery, std::vector<double>({400}));
}

TEST(OsdMemory, NothingSampledIsNothing) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(load_osd_memory(directory.path()).normal.empty());
}

}  // namespace
}  // namespace lab::analysis
