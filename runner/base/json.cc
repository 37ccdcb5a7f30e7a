#include "runner/base/json.h"

#include <algorithm>
#include <utility>

#include "runner/base/text.h"

namespace lab {
namespace {

// Feeds the parser and counts the lines that it has consumed.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  int* line;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    if (*at == '\n') ++*line;
    ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

std::string escape(std::string_view key) {
  std::string out;
  for (char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

// Builds the value and the line table. The parser has read at most one
// character beyond a token, so a newline right after it may be counted
// already; `line_` therefore is taken before that character where it matters.
class Builder : public nlohmann::json_sax<OrderedJson> {
 public:
  Builder(const int* line, const std::string& name, OrderedJson& root,
          std::map<std::string, int>& lines)
      : line_(line), name_(name), root_(root), lines_(lines) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool v) override { return add(v); }
  bool number_integer(number_integer_t v) override { return add(v); }
  bool number_unsigned(number_unsigned_t v) override { return add(v); }
  bool number_float(number_float_t v, const string_t&) override { return add(v); }
  bool string(string_t& v) override { return add(std::move(v)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(OrderedJson::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(OrderedJson::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& k) override {
    Level& level = stack_.back();
    if (level.value->contains(k))
      throw usage_error("{}:{}: key \"{}\" stands twice in one object; keep one of them", name_,
                        *line_, k);
    level.key = k;
    lines_[level.pointer + "/" + escape(k)] = *line_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& e) override {
    std::string text = e.what();
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …"
    if (auto colon = text.find(": "); colon != std::string::npos) text = text.substr(colon + 2);
    throw usage_error("{}:{}: {}", name_, *line_, text);
  }

 private:
  // Far beyond any file that means something; the line table grows with depth squared.
  static constexpr size_t kDeepest = 100;

  struct Level {
    OrderedJson* value;
    std::string pointer;
    std::string key;
  };

  OrderedJson* place(OrderedJson value, std::string& pointer) {
    if (stack_.empty()) {
      root_ = std::move(value);
      pointer = "";
      lines_[pointer] = 1;
      return &root_;
    }
    Level& level = stack_.back();
    if (level.value->is_array()) {
      pointer = level.pointer + "/" + std::to_string(level.value->size());
      lines_[pointer] = *line_;
      level.value->push_back(std::move(value));
      return &level.value->back();
    }
    pointer = level.pointer + "/" + escape(level.key);
    return &((*level.value)[level.key] = std::move(value));
  }
  bool add(OrderedJson value) {
    std::string pointer;
    place(std::move(value), pointer);
    return true;
  }
  bool open(OrderedJson value) {
    if (stack_.size() == kDeepest)
      throw usage_error("{}:{}: nested more than {} deep", name_, *line_, kDeepest);
    std::string pointer;
    OrderedJson* placed = place(std::move(value), pointer);
    stack_.push_back({placed, pointer, ""});
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  const int* line_;
  const std::string& name_;
  OrderedJson& root_;
  std::map<std::string, int>& lines_;
  std::vector<Level> stack_;
};

std::string kind_of(const OrderedJson& value) { return value.type_name(); }

}  // namespace

std::string json_text(const OrderedJson& value) {
  return value.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string json_line(const OrderedJson& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

JsonDocument JsonDocument::parse(std::string_view text, std::string name) {
  JsonDocument document;
  document.name_ = std::move(name);
  int line = 1;
  Builder builder(&line, document.name_, document.root_, document.lines_);
  CountingIterator begin{text.data(), &line};
  CountingIterator end{text.data() + text.size(), &line};
  OrderedJson::sax_parse(begin, end, &builder, nlohmann::json::input_format_t::json, true, true);
  return document;
}

JsonDocument JsonDocument::load(const fs::path& path) {
  return parse(read_file(path), path.string());
}

int JsonDocument::line(const std::string& pointer) const {
  std::string p = pointer;
  for (;;) {
    if (auto found = lines_.find(p); found != lines_.end()) return found->second;
    if (p.empty()) return 1;
    p.resize(p.rfind('/'));
  }
}

Error JsonDocument::error_at(const std::string& pointer, std::string_view text) const {
  return usage_error("{}:{}: {}", name_, line(pointer), text);
}

JsonObject::JsonObject(const JsonDocument& document, std::string pointer)
    : document_(&document), pointer_(std::move(pointer)) {
  object_ = &document.root().at(OrderedJson::json_pointer(pointer_));
  if (!object_->is_object())
    throw document.error_at(pointer_,
                            fmt::format("expected an object, found {}", kind_of(*object_)));
}

std::string JsonObject::at(std::string_view key) const { return pointer_ + "/" + escape(key); }

Error JsonObject::error(std::string_view key, std::string_view text) const {
  return document_->error_at(at(key), text);
}

bool JsonObject::has(std::string_view key) {
  known_.emplace_back(key);
  return object_->contains(key);
}

const OrderedJson& JsonObject::value(std::string_view key) {
  if (!has(key)) {
    // A misspelt key nearby explains a missing one better than the gap does.
    for (const auto& [found, unused] : object_->items())
      if (nearest(found, {std::string(key)}))
        throw document_->error_at(
            at(found), fmt::format("unknown key \"{}\" (did you mean \"{}\"?)", found, key));
    throw document_->error_at(pointer_, fmt::format("key \"{}\" is missing", key));
  }
  return object_->at(std::string(key));
}

std::string JsonObject::text(std::string_view key) {
  const OrderedJson& v = value(key);
  if (!v.is_string())
    throw error(key, fmt::format("\"{}\" must be a text, found {}", key, kind_of(v)));
  return v.get<std::string>();
}

std::string JsonObject::text_or(std::string_view key, std::string fallback) {
  return has(key) ? text(key) : std::move(fallback);
}

uint64_t JsonObject::bytes(std::string_view key) {
  const OrderedJson& v = value(key);
  if (v.is_number_unsigned()) return v.get<uint64_t>();
  if (v.is_string())
    if (auto parsed = parse_bytes(v.get<std::string>())) return *parsed;
  throw error(key,
              fmt::format("\"{}\" must be a size such as \"2G\" or 4096, found {}", key, v.dump()));
}

uint64_t JsonObject::number(std::string_view key) {
  const OrderedJson& v = value(key);
  if (!v.is_number_unsigned())
    throw error(key, fmt::format("\"{}\" must be a whole number, found {}", key, v.dump()));
  return v.get<uint64_t>();
}

uint64_t JsonObject::number_or(std::string_view key, uint64_t fallback) {
  return has(key) ? number(key) : fallback;
}

double JsonObject::real(std::string_view key) {
  const OrderedJson& v = value(key);
  if (!v.is_number())
    throw error(key, fmt::format("\"{}\" must be a number, found {}", key, v.dump()));
  return v.get<double>();
}

double JsonObject::real_or(std::string_view key, double fallback) {
  return has(key) ? real(key) : fallback;
}

bool JsonObject::flag_or(std::string_view key, bool fallback) {
  if (!has(key)) return fallback;
  const OrderedJson& v = value(key);
  if (!v.is_boolean())
    throw error(key, fmt::format("\"{}\" must be true or false, found {}", key, v.dump()));
  return v.get<bool>();
}

JsonObject JsonObject::object(std::string_view key) {
  value(key);
  return {*document_, at(key)};
}

std::vector<std::string> JsonObject::array(std::string_view key) {
  const OrderedJson& v = value(key);
  if (!v.is_array())
    throw error(key, fmt::format("\"{}\" must be an array, found {}", key, kind_of(v)));
  std::vector<std::string> pointers;
  for (size_t i = 0; i < v.size(); ++i) pointers.push_back(at(key) + "/" + std::to_string(i));
  return pointers;
}

void JsonObject::finish() {
  for (const auto& [key, unused] : object_->items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    std::string text = fmt::format("unknown key \"{}\"", key);
    if (auto near = nearest(key, known_)) text += fmt::format(" (did you mean \"{}\"?)", *near);
    throw error(key, text);
  }
}

}  // namespace lab
