#include "analysis/render/csv.h"

#include "analysis/render/escape.h"
#include "analysis/render/renderer.h"
#include "analysis/render/wide.h"

namespace lab::analysis {

std::string csv_record(const Record& record) {
  std::string out;
  for (size_t i = 0; i < record.size(); ++i) {
    if (i > 0) out += ',';
    out += csv_field(record[i].number ? record[i].text : defuse_formula(record[i].text));
  }
  return out + "\r\n";
}

std::string CsvRenderer::render(const Table& table) const {
  std::string out;
  for (const Record& record : wide_records(table)) out += csv_record(record);
  return out;
}

}  // namespace lab::analysis
