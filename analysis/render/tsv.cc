#include "analysis/render/csv.h"
#include "analysis/render/escape.h"
#include "analysis/render/renderer.h"
#include "analysis/render/wide.h"

namespace lab::analysis {

std::string tsv_record(const Record& record) {
  std::string out;
  for (size_t i = 0; i < record.size(); ++i) {
    if (i > 0) out += '\t';
    // Tabs and newlines cannot be quoted here. A text that begins with a quote would be
    // read to the next one.
    std::string text = one_line(record[i].text);
    if (!record[i].number && text.starts_with('"')) text = "'" + text;
    out += record[i].number ? text : defuse_formula(text);
  }
  return out + "\n";
}

std::string TsvRenderer::render(const Table& table) const {
  std::string out;
  for (const Record& record : wide_records(table)) out += tsv_record(record);
  return out;
}

}  // namespace lab::analysis
