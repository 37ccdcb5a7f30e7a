#include "results/mark.h"

namespace lab::results {

std::string_view to_text(Weight weight) {
  switch (weight) {
    case Weight::note:
      return "note";
    case Weight::doubtful:
      return "doubtful";
    case Weight::invalid:
      return "invalid";
  }
  return "invalid";
}

Mark mark_from_json(const JsonDocument& document, const std::string& pointer) {
  JsonObject o(document, pointer);
  Mark mark;
  std::string weight = o.text("weight");
  if (weight == "note")
    mark.weight = Weight::note;
  else if (weight == "doubtful")
    mark.weight = Weight::doubtful;
  else if (weight == "invalid")
    mark.weight = Weight::invalid;
  else
    throw o.error("weight",
                  fmt::format("unknown weight \"{}\" (note, doubtful or invalid)", weight));
  mark.code = o.text("code");
  mark.text = o.text("text");
  return mark;
}

OrderedJson to_json(const Mark& mark) {
  return {{"weight", to_text(mark.weight)}, {"code", mark.code}, {"text", mark.text}};
}

}  // namespace lab::results
