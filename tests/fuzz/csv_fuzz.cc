// Any texts written as CSV are read back as they were, but for the apostrophe before what
// would be a formula; and as TSV they keep their lines and columns.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "analysis/render/csv.h"
#include "analysis/render/escape.h"
#include "runner/base/text.h"
#include "tests/csv.h"

namespace {

using namespace lab;
using namespace lab::analysis;

void check(bool holds) {
  if (!holds) abort();
}

// The input's bytes with 0 between records and 1 between fields.
std::vector<Record> records_of(std::string_view text) {
  std::vector<Record> records;
  for (const std::string& line : split(std::string(text), '\0')) {
    Record record;
    for (const std::string& field : split(line, '\1')) record.push_back({field});
    records.push_back(std::move(record));
  }
  return records;
}

void check_written(const std::vector<Record>& records) {
  std::string csv;
  for (const Record& record : records) csv += csv_record(record);
  const auto read = parse_csv(csv);
  check(read && read->size() == records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    check((*read)[i].size() == records[i].size());
    for (size_t k = 0; k < records[i].size(); ++k)
      check((*read)[i][k].text == defuse_formula(records[i][k].text));
    const std::string tsv = tsv_record(records[i]);
    check(std::count(tsv.begin(), tsv.end(), '\n') == 1 && tsv.back() == '\n');
    check(static_cast<size_t>(std::count(tsv.begin(), tsv.end(), '\t')) + 1 == records[i].size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_written(records_of(text));
  // What is CSV already says the same when it is written once more.
  const auto records = parse_csv(text);
  if (!records) return 0;
  std::string again;
  for (const CsvRecord& record : *records) {
    for (size_t i = 0; i < record.size(); ++i)
      again += (i > 0 ? "," : "") + csv_field(record[i].text);
    again += "\r\n";
  }
  const auto read = parse_csv(again);
  check(read && read->size() == records->size());
  for (size_t i = 0; i < records->size(); ++i) {
    check((*read)[i].size() == (*records)[i].size());
    for (size_t k = 0; k < (*read)[i].size(); ++k)
      check((*read)[i][k].text == (*records)[i][k].text);
  }
  return 0;
}
