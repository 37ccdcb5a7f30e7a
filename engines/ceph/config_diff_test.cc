#include "engines/ceph/config_diff.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::ceph {
namespace {

// As OSDs of 16.2.15 answer: osd.1 with mclock_scheduler and values that were set for it in
// the monitors, osd.2 started with CEPH_ARGS, the rest from others.
constexpr const char* kDiff = R"({"diff": {
  "osd_max_backfills": {"default": 1, "final": 1000, "mon": 7, "override": 1000},
  "osd_scrub_sleep": {"default": 0, "final": 0, "mon": 0.1, "override": 0},
  "osd_op_queue": {"default": "wpq", "final": "mclock_scheduler", "mon": "mclock_scheduler"},
  "osd_recovery_max_active": {"cmdline": 9, "default": 0, "env": 9, "final": 9, "mon": 3},
  "osd_memory_target": {"default": "4294967296", "file": "1073741824", "final": "1073741824",
                        "mon": "2147483648"},
  "bluestore_cache_autotune": {"default": true, "file": false, "final": false},
  "keyring": {"default": "$osd_data/keyring", "file": "/x/$type.$id/keyring",
              "final": "/x/osd.0/keyring"},
  "rbd_default_features": {"default": "61", "final": "61"},
  "fixed_by_the_program": {"default": 1, "final": 2},
  "no option": 3
}})";

TEST(ConfigDiff, WhatMClockMasksIsNotWhatTheMonitorsSay) {
  const DaemonOptions found = parse_config_diff(Json::parse(kDiff));
  EXPECT_EQ(found.at("osd_max_backfills"), (DaemonOption{"1000", "override"}));
  EXPECT_EQ(found.at("osd_scrub_sleep"), (DaemonOption{"0", "override"}));
  EXPECT_EQ(found.at("osd_op_queue"), (DaemonOption{"mclock_scheduler", "mon"}));
}

TEST(ConfigDiff, TheStrongestPlaceIsTheSource) {
  const DaemonOptions found = parse_config_diff(Json::parse(kDiff));
  EXPECT_EQ(found.at("osd_recovery_max_active"), (DaemonOption{"9", "cmdline"}));
  EXPECT_EQ(found.at("osd_memory_target"), (DaemonOption{"1073741824", "file"}));
  EXPECT_EQ(found.at("bluestore_cache_autotune"), (DaemonOption{"false", "file"}));
  EXPECT_EQ(found.at("keyring"), (DaemonOption{"/x/osd.0/keyring", "file"}));
  EXPECT_EQ(found.at("rbd_default_features"), (DaemonOption{"61", "default"}));
  EXPECT_EQ(found.at("fixed_by_the_program"), (DaemonOption{"2", "final"}));
  EXPECT_FALSE(found.contains("no option"));
}

TEST(ConfigDiff, AnotherAnswerIsAnError) {
  for (const char* text : {"null", "\"x\"", "[]", "{}", R"({"diff": 3})"})
    EXPECT_THROW(parse_config_diff(Json::parse(text)), Error) << text;
}

}  // namespace
}  // namespace lab::ceph
