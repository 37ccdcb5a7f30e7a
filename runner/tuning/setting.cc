#include "runner/tuning/setting.h"

#include "runner/base/text.h"

namespace lab {
namespace {

const std::vector<std::string> kModes = {"off", "writethrough", "writeback", "writearound"};
const std::vector<std::string> kKinds = {"cache", "client", "job"};

std::string scalar_text(const JsonDocument& document, const std::string& pointer,
                        const OrderedJson& value) {
  if (value.is_string()) {
    auto text = value.get<std::string>();
    // A newline would begin another line of the job file.
    for (char c : text)
      if (static_cast<unsigned char>(c) < 0x20)
        throw document.error_at(pointer, "a value can't hold control characters");
    return text;
  }
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return value.dump();
  throw document.error_at(pointer, fmt::format("a value must be a text, a number, true or false; "
                                               "found {}",
                                               value.type_name()));
}

std::map<std::string, std::string> options(const JsonDocument& document, const JsonObject& object) {
  std::map<std::string, std::string> out;
  for (const auto& [key, value] : object.json().items())
    out[key] = scalar_text(document, object.at(key), value);
  return out;
}

std::string list(const std::map<std::string, std::string>& options) {
  std::vector<std::string> parts;
  parts.reserve(options.size());
  for (const auto& [key, value] : options) parts.push_back(key + "=" + value);
  return join(parts, " ");
}

}  // namespace

std::string describe(const Setting& setting) {
  struct {
    std::string operator()(const CacheMode& s) const { return "rbd cache " + s.mode; }
    std::string operator()(const ClientOptions& s) const { return "client " + list(s.options); }
    std::string operator()(const JobOptions& s) const { return "job " + list(s.options); }
  } visitor;
  return std::visit(visitor, setting);
}

OrderedJson to_json(const Setting& setting) {
  struct {
    OrderedJson operator()(const CacheMode& s) const { return {{"cache", s.mode}}; }
    OrderedJson operator()(const ClientOptions& s) const { return {{"client", s.options}}; }
    OrderedJson operator()(const JobOptions& s) const { return {{"job", s.options}}; }
  } visitor;
  return std::visit(visitor, setting);
}

Setting parse_setting(const JsonDocument& document, const std::string& pointer) {
  JsonObject object(document, pointer);
  if (object.json().size() != 1)
    throw document.error_at(pointer, fmt::format("a setting is an object with one key, one of: {}",
                                                 join(kKinds, ", ")));
  if (object.has("cache")) {
    std::string mode = object.text("cache");
    for (const std::string& known : kModes)
      if (mode == known) return CacheMode{mode};
    std::string text = fmt::format("unknown cache mode \"{}\"", mode);
    if (auto near = nearest(mode, kModes)) text += fmt::format(" (did you mean \"{}\"?)", *near);
    throw object.error("cache", text + fmt::format("; known are {}", join(kModes, ", ")));
  }
  if (object.has("client")) return ClientOptions{options(document, object.object("client"))};
  if (object.has("job")) return JobOptions{options(document, object.object("job"))};
  object.finish();
  throw document.error_at(pointer, "empty setting");
}

}  // namespace lab
