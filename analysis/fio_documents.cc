#include "analysis/fio_documents.h"

#include <algorithm>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// The length of the nan or inf at the beginning of `text`, or 0. fio prints floats by
// printf, which writes "-nan" where it divided by zero.
size_t not_a_number(std::string_view text) {
  for (std::string_view word : {"-nan", "nan", "-inf", "inf"})
    if (text.starts_with(word)) return word.size();
  return 0;
}

// Copies one object from the beginning of `text` to `json`. Returns its length, or
// npos if it does not end.
size_t copy_object(std::string_view text, std::string& json) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (in_string) {
      json += c;
      if (c == '\\' && i + 1 < text.size())
        json += text[++i];
      else if (c == '"')
        in_string = false;
      continue;
    }
    if (size_t n = not_a_number(text.substr(i))) {
      json += "null";
      i += n - 1;
      continue;
    }
    json += c;
    if (c == '"')
      in_string = true;
    else if (c == '{' || c == '[')
      ++depth;
    else if ((c == '}' || c == ']') && --depth == 0)
      return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

FioDocuments split_fio_documents(std::string_view text, const std::string& name) {
  FioDocuments found;
  int line = 1;
  while (!text.empty()) {
    if (text.front() == '{') {
      FioDocuments::Document document{{}, line};
      size_t length = copy_object(text, document.json);
      line += static_cast<int>(std::count(document.json.begin(), document.json.end(), '\n'));
      if (length == std::string_view::npos)
        throw usage_error(
            "{}:{}: cut off: the JSON that begins in line {} has no end (was fio killed, or the "
            "disk full?)",
            name, line, document.line);
      text.remove_prefix(length);
      found.documents.push_back(std::move(document));
    }
    // The rest of the line, or a line of text.
    size_t end = text.find('\n');
    std::string_view rest = trim(text.substr(0, end));
    if (!rest.empty()) found.notes.emplace_back(rest);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    ++line;
  }
  return found;
}

}  // namespace lab::analysis
