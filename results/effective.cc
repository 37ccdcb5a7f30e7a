#include "results/effective.h"

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::results {
namespace {

// Values by key; a wrong type is an error that names the line.
class Line {
 public:
  Line(const OrderedJson& json, const std::string& place) : json_(json), place_(place) {
    if (!json.is_object()) throw usage_error("{}: expected an object", place_);
  }
  std::string text(const char* key) const {
    auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return "";
    if (!found->is_string()) throw usage_error("{}: \"{}\" must be a text", place_, key);
    return found->get<std::string>();
  }
  uint64_t number(const char* key) const {
    auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return 0;
    if (!found->is_number_unsigned())
      throw usage_error("{}: \"{}\" must be a whole number", place_, key);
    return found->get<uint64_t>();
  }
  double real(const char* key) const {
    auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return 0;
    if (!found->is_number()) throw usage_error("{}: \"{}\" must be a number", place_, key);
    return found->get<double>();
  }

 private:
  const OrderedJson& json_;
  const std::string& place_;
};

}  // namespace

std::vector<OrderedJson> parse_json_lines(std::string_view text, const std::string& name,
                                          bool* truncated) {
  std::vector<OrderedJson> lines;
  int number = 0;
  if (truncated) *truncated = false;
  while (!text.empty()) {
    ++number;
    size_t end = text.find('\n');
    bool last = end == std::string_view::npos;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(last ? text.size() : end + 1);
    if (last) {
      // Every writer ends a line with its newline in the same write.
      if (truncated) *truncated = true;
      break;
    }
    if (trim(line).empty()) {
      lines.push_back(nullptr);
      continue;
    }
    OrderedJson value = OrderedJson::parse(line, nullptr, false);
    if (value.is_discarded()) throw usage_error("{}:{}: no JSON in this line", name, number);
    lines.push_back(std::move(value));
  }
  return lines;
}

Effective parse_effective(std::string_view text, const std::string& name) {
  Effective effective;
  std::vector<OrderedJson> lines = parse_json_lines(text, name, &effective.truncated);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].is_null()) continue;
    std::string place = fmt::format("{}:{}", name, i + 1);
    Line line(lines[i], place);
    std::string event = line.text("event");
    if (event == "open") {
      effective.opens.push_back(
          {line.text("engine"), line.text("job"), static_cast<int>(line.number("subjob")),
           line.text("image"), line.number("size_bytes"), line.text("ceph_version"),
           line.text("cache_asked"), line.text("cache_effective"), line.text("cache_objects")});
    } else if (event == "close") {
      if (line.real("flush_s") < 0)
        throw usage_error("{}: \"flush_s\" is negative; no flush takes less than no time", place);
      effective.closes.push_back(
          {line.text("engine"), line.text("job"), static_cast<int>(line.number("subjob")),
           line.real("flush_s"), line.number("reads"), line.number("writes"), line.number("trims"),
           line.number("syncs"), line.number("errors"), line.number("zero_reads")});
    }
  }
  return effective;
}

}  // namespace lab::results
