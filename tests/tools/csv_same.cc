// Compares a CSV file of lab's with what a spreadsheet made of it and wrote again with LF and
// every text quoted: csv-same BEFORE AFTER. Status 0 if all cells are as they were: numbers
// are numbers of the same value, texts are texts with the same content. Prints how many of
// each there are.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>

#include "runner/base/error.h"
#include "runner/base/file.h"
#include "tests/csv.h"

namespace {

using namespace lab;

std::vector<CsvRecord> load(const char* path, std::string_view newline) {
  auto records = parse_csv(read_file(path), newline);
  if (!records) throw usage_error("{}: this is no CSV", path);
  return *records;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool digits = text.find_first_not_of("-0123456789.eE+") == std::string::npos;
  if (failure != std::errc{} || end != text.data() + text.size() || !digits) return {};
  return value;
}

// A spreadsheet keeps a newline within a cell, not how it is written.
std::string with_lf(std::string text) {
  for (size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

bool same(const CsvField& before, const CsvField& after) {
  if (before.text.empty()) return after.text.empty();
  if (const auto value = number(before.text)) return !after.quoted && number(after.text) == value;
  return after.quoted && after.text == with_lf(before.text);
}

int compare(const char* before_path, const char* after_path) {
  const std::vector<CsvRecord> before = load(before_path, "\r\n");
  const std::vector<CsvRecord> after = load(after_path, "\n");
  if (before.size() != after.size())
    throw usage_error("{}: {} records, {} has {}", after_path, after.size(), before_path,
                      before.size());
  size_t numbers = 0;
  size_t negative = 0;
  size_t texts = 0;
  for (size_t row = 0; row < before.size(); ++row) {
    if (before[row].size() != after[row].size())
      throw usage_error("{}: record {} has {} fields, in {} {}", after_path, row + 1,
                        after[row].size(), before_path, before[row].size());
    for (size_t column = 0; column < before[row].size(); ++column) {
      const CsvField& field = before[row][column];
      const CsvField& other = after[row][column];
      if (!same(field, other))
        throw usage_error("{}: record {}, column {}: \"{}\" became the {} \"{}\"", after_path,
                          row + 1, column + 1, field.text, other.quoted ? "text" : "number",
                          other.text);
      const auto value = number(field.text);
      numbers += value ? 1 : 0;
      negative += value && *value < 0 ? 1 : 0;
      texts += !value && !field.text.empty() ? 1 : 0;
    }
  }
  fmt::print("{} records, {} numbers, {} of them negative, {} texts\n", before.size(), numbers,
             negative, texts);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw usage_error("usage: csv-same BEFORE AFTER");
    return compare(argv[1], argv[2]);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
