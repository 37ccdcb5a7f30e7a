// A mark: one reason why a result is doubtful. Never shown without its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/base/json.h"

namespace lab::results {

// In order of gravity: the worst of several is the greatest.
enum class Weight {
  note,      // to be known when reading the figure
  doubtful,  // the figure may be off
  invalid,   // the figure says nothing about what was asked
};

struct Mark {
  Weight weight = Weight::note;
  std::string code;  // short and stable, for programs: "zero-reads"
  std::string text;  // the whole reason, for people

  bool operator==(const Mark&) const = default;
};

std::string_view to_text(Weight weight);
// Throws lab::Error (Exit::usage) at the document's line for an unknown weight.
Mark mark_from_json(const JsonDocument& document, const std::string& pointer);
OrderedJson to_json(const Mark& mark);

}  // namespace lab::results
