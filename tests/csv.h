// A reader of CSV files by the grammar of RFC 4180, for tests of what writes them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct CsvField {
  std::string text;
  bool quoted = false;
};

using CsvRecord = std::vector<CsvField>;

// None if the text breaks the grammar: a quote inside a plain field, text after a closing
// quote, another newline than `newline` outside quotes, or no newline at the end.
inline std::optional<std::vector<CsvRecord>> parse_csv(std::string_view text,
                                                       std::string_view newline = "\r\n") {
  std::vector<CsvRecord> records;
  size_t at = 0;
  while (at < text.size()) {
    CsvRecord record;
    for (;;) {
      CsvField field;
      if (at < text.size() && text[at] == '"') {
        field.quoted = true;
        for (++at;; ++at) {
          if (at >= text.size()) return {};
          if (text[at] == '"' && !text.substr(at + 1).starts_with('"')) break;
          if (text[at] == '"') ++at;
          field.text += text[at];
        }
        ++at;
      } else {
        const size_t end = std::min(text.find_first_of(",\"\r\n", at), text.size());
        field.text = text.substr(at, end - at);
        at = end;
      }
      record.push_back(std::move(field));
      if (!text.substr(at).starts_with(',')) break;
      ++at;
    }
    if (!text.substr(at).starts_with(newline)) return {};
    at += newline.size();
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace lab
