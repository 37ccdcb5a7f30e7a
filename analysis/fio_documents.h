// fio's output file is text with JSON documents in it: finds the documents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::analysis {

struct FioDocuments {
  struct Document {
    std::string_view json;          // a part of the text that was split
    int line;                       // where it begins, from 1
    bool has_not_a_number = false;  // numbers that JSON does not know: nan, inf
  };
  std::vector<Document> documents;
  std::vector<std::string> notes;  // the other lines, except empty ones
};

// A document begins with a '{' in the first column. Throws lab::Error (Exit::usage) with
// `name:line` if one has no end.
FioDocuments split_fio_documents(std::string_view text, const std::string& name);

// The document with null in the place of every nan and inf.
std::string without_not_a_number(std::string_view json);

}  // namespace lab::analysis
