#include "runner/sampling/answers.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::sampling {
namespace {

using Figures = std::vector<Figure>;

TEST(MempoolFigures, LeavesEmptyPoolsOut) {
  EXPECT_EQ(mempool_figures(R"({"mempool":{"by_pool":{"bloom_filter":{"items":0,"bytes":0},
                               "bluestore_cache_data":{"items":5,"bytes":4096}},
                               "total":{"items":5,"bytes":4097}}})"),
            (Figures{{"mempool", 4097}, {"mempool_bluestore_cache_data", 4096}}));
}

TEST(MempoolFigures, AnotherAnswerIsAnError) {
  for (const char* none : {"", "ERROR: (22)", "[]", R"({"mempool":{}})",
                           R"({"mempool":{"by_pool":{"a":{}},"total":{"bytes":1}}})"})
    EXPECT_THROW(mempool_figures(none), Error) << none;
}

TEST(PriorityCacheFigures, AreFoundAmongAllCounters) {
  EXPECT_EQ(priority_cache_figures(
                R"({"bluestore":{"a":{"avgcount":0,"sum":0.5}},
                   "prioritycache":{"target_bytes":10,"mapped_bytes":9,"unmapped_bytes":8,
                                    "heap_bytes":7,"cache_bytes":6},
                   "prioritycache:kv":{"pri0_bytes":1,"pri11_bytes":1,"reserved_bytes":2,
                                       "committed_bytes":3},
                   "osd":{"op":1}})"),
            (Figures{{"cache_available", 6},
                     {"cache_heap", 7},
                     {"cache_mapped", 9},
                     {"cache_target", 10},
                     {"cache_unmapped", 8},
                     {"cache_kv_committed", 3},
                     {"cache_kv_reserved", 2}}));
}

TEST(PriorityCacheFigures, ADaemonWithoutHasNone) {
  EXPECT_TRUE(priority_cache_figures(R"({"rgw":{"req":1}})").empty());
  EXPECT_THROW(priority_cache_figures("Unrecognized command"), Error);
  EXPECT_THROW(priority_cache_figures(R"({"prioritycache":{"target_bytes":1)"), Error);
}

TEST(HeapFigures, OfTcmalloc) {
  EXPECT_EQ(
      heap_figures("osd.0 tcmalloc heap stats:-----------------------------\n"
                   "MALLOC:       17317872 (   16.5 MiB) Bytes in use by application\n"
                   "MALLOC: +      1146880 (    1.1 MiB) Bytes in page heap freelist\n"
                   "MALLOC: +       358984 (    0.3 MiB) Bytes in central cache freelist\n"
                   "MALLOC: +       384000 (    0.4 MiB) Bytes in transfer cache freelist\n"
                   "MALLOC: +      1083120 (    1.0 MiB) Bytes in thread cache freelists\n"
                   "MALLOC: +      2752512 (    2.6 MiB) Bytes in malloc metadata\n"
                   "MALLOC:   ------------\n"
                   "MALLOC: =     23043368 (   22.0 MiB) Actual memory used (physical + swap)\n"
                   "MALLOC: +       90112 (    0.1 MiB) Bytes released to OS (aka unmapped)\n"
                   "MALLOC:   ------------\n"
                   "MALLOC: =     23133480 (   22.1 MiB) Virtual address space used\n"
                   "MALLOC:\n"
                   "MALLOC:           1208              Spans in use\n"
                   "MALLOC:             14              Thread heaps in use\n"
                   "MALLOC:           8192              Tcmalloc page size\n"),
      (Figures{{"heap_used", 17317872},
               {"heap_page_heap_free", 1146880},
               {"heap_central_free", 358984},
               {"heap_transfer_free", 384000},
               {"heap_thread_free", 1083120},
               {"heap_metadata", 2752512},
               {"heap_physical", 23043368},
               {"heap_released", 90112}}));
  EXPECT_THROW(heap_figures("could not issue heap profiler command -- not using tcmalloc!"), Error);
}

TEST(ResidentFigures, OfAPrometheusEndpoint) {
  const Figures expected = {{"metrics_rss", 123456512}};
  EXPECT_EQ(resident_figures("# HELP process_resident_memory_bytes Resident memory size\n"
                             "# TYPE process_resident_memory_bytes gauge\n"
                             "process_resident_memory_bytes 1.23456512e+08\n"),
            expected);
  EXPECT_EQ(
      resident_figures("a 1\nprocess_resident_memory_bytes{job=\"x\"} 123456512 1700000000\n"),
      expected);
  for (const char* none :
       {"", "process_resident_memory_bytes_total 5\n", "process_resident_memory_bytes NaN\n",
        "process_resident_memory_bytes{ 5\n"})
    EXPECT_THROW(resident_figures(none), Error) << none;
}

}  // namespace
}  // namespace lab::sampling
