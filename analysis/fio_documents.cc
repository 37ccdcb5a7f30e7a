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

// The length of the text in quotes at the beginning of `text`, or all of it if it has no end.
size_t string_length(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

// The object at the beginning of `text`; without its end if it has none.
FioDocuments::Document find_object(std::string_view text, int line) {
  FioDocuments::Document document{text, line};
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        i += string_length(text.substr(i)) - 1;
        break;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (--depth == 0) {
          document.json = text.substr(0, i + 1);
          return document;
        }
        break;
      case 'n':
      case 'i':
        document.has_not_a_number |= not_a_number(text.substr(i)) > 0;
        break;
      default:
        break;
    }
  }
  document.json = {};
  return document;
}

int newlines(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

FioDocuments split_fio_documents(std::string_view text, const std::string& name) {
  FioDocuments found;
  int line = 1;
  while (!text.empty()) {
    if (text.front() == '{') {
      const FioDocuments::Document document = find_object(text, line);
      if (document.json.empty())
        throw usage_error(
            "{}:{}: cut off: the JSON that begins in line {} has no end (was fio killed, or the "
            "disk full?)",
            name, line + newlines(text), line);
      line += newlines(document.json);
      text.remove_prefix(document.json.size());
      found.documents.push_back(document);
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

std::string without_not_a_number(std::string_view json) {
  std::string out;
  for (size_t i = 0; i < json.size();) {
    size_t copied = 1;
    if (json[i] == '"') copied = string_length(json.substr(i));
    if (size_t length = not_a_number(json.substr(i))) {
      out += "null";
      i += length;
    } else {
      out += json.substr(i, copied);
      i += copied;
    }
  }
  return out;
}

}  // namespace lab::analysis
