// JSON with comments, read so that every later complaint can name file, line and key.
#pragma once

#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "runner/base/error.h"
#include "runner/base/file.h"

namespace lab {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

// Indented text with a final newline; bytes that are no UTF-8 become U+FFFD, since what
// programs say of themselves may hold anything.
std::string json_text(const OrderedJson& value);
// The same on one line, without newline: for .jsonl files.
std::string json_line(const OrderedJson& value);

// A parsed document that remembers where each value stood.
class JsonDocument {
 public:
  // Throws lab::Error (Exit::usage), e.g. `cache.json:7: expected ',' …`.
  // Duplicate keys in one object are an error too: the second would silently win.
  static JsonDocument parse(std::string_view text, std::string name);
  static JsonDocument load(const fs::path& path);

  const OrderedJson& root() const { return root_; }
  const std::string& name() const { return name_; }

  // 1-based line of the value at this JSON pointer ("" is the root).
  int line(const std::string& pointer) const;

  // An error (Exit::usage) that begins with `file:line: `.
  Error error_at(const std::string& pointer, std::string_view text) const;

 private:
  OrderedJson root_;
  std::string name_;
  std::map<std::string, int> lines_;
};

// One object of a document, read key by key. `finish` complains about keys that
// nobody asked for, with the nearest known one.
class JsonObject {
 public:
  JsonObject(const JsonDocument& document, std::string pointer);

  bool has(std::string_view key);
  // Throw lab::Error (Exit::usage) if the value is missing or of another type.
  std::string text(std::string_view key);
  std::string text_or(std::string_view key, std::string fallback);
  // A number, or a text with a binary unit ("10G", "4k").
  uint64_t bytes(std::string_view key);
  uint64_t number(std::string_view key);
  uint64_t number_or(std::string_view key, uint64_t fallback);
  double real(std::string_view key);  // any number
  double real_or(std::string_view key, double fallback);
  bool flag_or(std::string_view key, bool fallback);
  JsonObject object(std::string_view key);
  // Pointers of the elements of an array.
  std::vector<std::string> array(std::string_view key);
  // Any value as it stands.
  const OrderedJson& value(std::string_view key);
  // Pointer of a key's value.
  std::string at(std::string_view key) const;

  const OrderedJson& json() const { return *object_; }
  void finish();
  Error error(std::string_view key, std::string_view text) const;

 private:
  const JsonDocument* document_;
  std::string pointer_;
  const OrderedJson* object_;
  std::vector<std::string> known_;
};

}  // namespace lab
