#include "runner/target/rbd_target.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

OrderedJson open_record(const std::string& mode, const std::string& readahead) {
  return {{"event", "open"},
          {"cache_effective", mode},
          {"cache_objects", mode == "writeback" ? "objectcacher" : "none"},
          {"options",
           {{"rbd_readahead_max_bytes", {{"value", readahead}, {"source", "config"}}},
            {"rbd_cache", {{"value", "true"}, {"source", "image"}}}}}};
}

TEST(ProveByRecords, AcceptsWhatEveryJobSays) {
  auto proofs =
      prove_by_records({CacheMode{"writeback"},
                        ClientOptions{{{"rbd_readahead_max_bytes", "4k"}, {"rbd_cache", "1"}}}},
                       {open_record("writeback", "4096"), OrderedJson{{"event", "close"}},
                        open_record("writeback", "4096")});
  ASSERT_EQ(proofs.size(), 3u);
  for (const auto& proof : proofs) EXPECT_EQ(proof.verified, true) << proof.name;
  EXPECT_EQ(proofs[0].effective, "writeback");
  EXPECT_EQ(proofs[0].source, "cache object: objectcacher");
  EXPECT_EQ(proofs[1].source, "image");
}

TEST(ProveByRecords, OneJobThatDiffersIsShown) {
  auto proofs = prove_by_records({CacheMode{"writeback"}},
                                 {open_record("writeback", "0"), open_record("off", "0")});
  ASSERT_EQ(proofs.size(), 1u);
  EXPECT_EQ(proofs[0].verified, false);
  EXPECT_EQ(proofs[0].effective, "off");
}

TEST(ProveByRecords, NoRecordIsNoProof) {
  auto proofs = prove_by_records({CacheMode{"off"}}, {});
  ASSERT_EQ(proofs.size(), 1u);
  EXPECT_FALSE(proofs[0].verified);
}

TEST(ProveByRecords, OptionsOfLibradosAreThoseOfTheConnection) {
  OrderedJson record = open_record("off", "0");
  record["client_options"] = {{"debug_ms", {{"value", "0/0"}, {"source", "override"}}}};
  const auto prove = [&](const char* option, const char* value) {
    return prove_by_records({ClientOptions{{{option, value}}}}, {record}).at(0);
  };
  EXPECT_EQ(prove("debug_ms", "0/0").verified, true);
  EXPECT_EQ(prove("debug_ms", "0/0").source, "override");
  EXPECT_EQ(prove("debug_ms", "0/0").proof, "config diff of the process that did the I/O");
  EXPECT_EQ(prove("debug_ms", "5/5").verified, false);
  EXPECT_EQ(prove("rbd_cache", "true").proof, "rbd_config_image_list");
  EXPECT_FALSE(prove("debug_rados", "0/0").verified) << "told by nobody";
}

}  // namespace
}  // namespace lab
