#include "runner/tuning/setting.h"

#include <algorithm>

#include "runner/base/text.h"
#include "runner/tuning/daemon_name.h"

namespace lab {
namespace {

const std::vector<std::string> kModes = {"off", "writethrough", "writeback", "writearound"};
const std::vector<std::string> kKinds = {"cache",       "client",    "job",     "config",
                                         "environment", "allocator", "program", "sysctl"};
const std::vector<std::string> kScopes = {"osd", "rgw", "mon", "mgr", "client"};

// A newline would begin another line of a job file, or of a unit's.
std::string plain_text(const JsonDocument& document, const std::string& pointer,
                       const std::string& text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      throw document.error_at(pointer, "a value can't hold control characters");
  return text;
}

std::string scalar_text(const JsonDocument& document, const std::string& pointer,
                        const OrderedJson& value) {
  if (value.is_string()) return plain_text(document, pointer, value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return value.dump();
  throw document.error_at(pointer, fmt::format("a value must be a text, a number, true or false; "
                                               "found {}",
                                               value.type_name()));
}

// null: not set there.
OptionalValues optional_values(const JsonDocument& document, const JsonObject& object) {
  OptionalValues out;
  for (const auto& [key, value] : object.json().items()) {
    std::optional<std::string>& place = out[plain_text(document, object.at(key), key)];
    if (!value.is_null()) place = scalar_text(document, object.at(key), value);
  }
  return out;
}

// How it was found is known of daemons' options only; as a text it would measure nonsense.
void refuse_found(const JsonDocument& document, const JsonObject& object, const std::string& key,
                  const std::optional<std::string>& value) {
  if (builds_on_found(value))
    throw document.error_at(
        object.at(key),
        fmt::format("only values of \"config\" can build on what was found: {}", kFoundValue));
}

OptionalValues variables(const JsonDocument& document, const JsonObject& object) {
  OptionalValues out = optional_values(document, object);
  for (const auto& [key, value] : out) refuse_found(document, object, key, value);
  return out;
}

std::map<std::string, std::string> options(const JsonDocument& document, const JsonObject& object) {
  std::map<std::string, std::string> out;
  for (const auto& [key, value] : object.json().items()) {
    std::string& place = out[plain_text(document, object.at(key), key)];
    place = scalar_text(document, object.at(key), value);
    refuse_found(document, object, key, place);
  }
  return out;
}

// As the monitors store names.
std::string canonical_name(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

// `{"osd": …}`: the one key, which is whom the setting is for.
std::string only_key(const JsonDocument& document, JsonObject& object, const std::string& kind) {
  const OrderedJson& value = object.value(kind);
  if (!value.is_object() || value.size() != 1)
    throw object.error(
        kind, fmt::format("\"{}\" is an object with one key, whom it is for: {{\"osd\": …}}; write "
                          "a setting for each",
                          kind));
  return plain_text(document, object.at(kind), value.begin().key());
}

std::string scope_of(const JsonDocument& document, JsonObject& object, const std::string& kind,
                     bool with_client) {
  std::string scope = only_key(document, object, kind);
  const std::string type = kind_of(scope);
  const bool known = std::find(kScopes.begin(), kScopes.end(), type) != kScopes.end();
  if (known && (with_client || type != "client") && (type != "client" || scope == "client"))
    return scope;
  throw object.error(
      kind,
      fmt::format("\"{}\" is no kind of process that can have another {}; "
                  "known are {}, and one daemon as osd.0",
                  scope, kind, with_client ? "osd, rgw, mon, mgr, client" : "osd, rgw, mon, mgr"));
}

std::string list(const std::map<std::string, std::string>& options) {
  std::vector<std::string> parts;
  parts.reserve(options.size());
  for (const auto& [key, value] : options) parts.push_back(key + "=" + value);
  return join(parts, " ");
}

std::string list(const OptionalValues& options) {
  std::vector<std::string> parts;
  parts.reserve(options.size());
  for (const auto& [key, value] : options)
    parts.push_back(value ? key + "=" + *value : "no " + key);
  return join(parts, " ");
}

OrderedJson json(const OptionalValues& options) {
  OrderedJson out = OrderedJson::object();
  for (const auto& [key, value] : options)
    out[key] = value ? OrderedJson(*value) : OrderedJson(nullptr);
  return out;
}

CacheMode parse_cache(JsonObject& object) {
  std::string mode = object.text("cache");
  for (const std::string& known : kModes)
    if (mode == known) return CacheMode{mode};
  std::string text = fmt::format("unknown cache mode \"{}\"", mode);
  if (auto near = nearest(mode, kModes)) text += fmt::format(" (did you mean \"{}\"?)", *near);
  throw object.error("cache", text + fmt::format("; known are {}", join(kModes, ", ")));
}

AllocatorChoice parse_allocator(const JsonDocument& document, JsonObject& object) {
  AllocatorChoice choice;
  choice.scope = scope_of(document, object, "allocator", true);
  choice.allocator =
      plain_text(document, object.at("allocator"), object.object("allocator").text(choice.scope));
  const std::vector<std::string>& known = allocator_names();
  if (fs::path(choice.allocator).is_absolute() ||
      std::find(known.begin(), known.end(), choice.allocator) != known.end())
    return choice;
  std::string text = fmt::format("unknown allocator \"{}\"", choice.allocator);
  if (auto near = nearest(choice.allocator, known))
    text += fmt::format(" (did you mean \"{}\"?)", *near);
  throw object.error("allocator", fmt::format("{}; known are {}, or the absolute path of a library",
                                              text, join(known, ", ")));
}

struct Describer {
  std::string operator()(const CacheMode& s) const { return "rbd cache " + s.mode; }
  std::string operator()(const ClientOptions& s) const { return "client " + list(s.options); }
  std::string operator()(const JobOptions& s) const { return "job " + list(s.options); }
  std::string operator()(const ConfigOptions& s) const {
    return fmt::format("config {} {}", s.who, list(s.options));
  }
  std::string operator()(const ProcessEnvironment& s) const {
    return fmt::format("environment of {} {}", s.scope, list(s.variables));
  }
  std::string operator()(const AllocatorChoice& s) const {
    return fmt::format("allocator of {} {}", s.scope, s.allocator);
  }
  std::string operator()(const DaemonProgram& s) const {
    return fmt::format("program of {} {}", s.scope, s.program);
  }
  std::string operator()(const KernelParameters& s) const { return "sysctl " + list(s.parameters); }
};

struct Writer {
  OrderedJson operator()(const CacheMode& s) const { return {{"cache", s.mode}}; }
  OrderedJson operator()(const ClientOptions& s) const { return {{"client", s.options}}; }
  OrderedJson operator()(const JobOptions& s) const { return {{"job", s.options}}; }
  OrderedJson operator()(const ConfigOptions& s) const {
    return {{"config", {{s.who, json(s.options)}}}};
  }
  OrderedJson operator()(const ProcessEnvironment& s) const {
    return {{"environment", {{s.scope, json(s.variables)}}}};
  }
  OrderedJson operator()(const AllocatorChoice& s) const {
    return {{"allocator", {{s.scope, s.allocator}}}};
  }
  OrderedJson operator()(const DaemonProgram& s) const {
    return {{"program", {{s.scope, s.program}}}};
  }
  OrderedJson operator()(const KernelParameters& s) const { return {{"sysctl", s.parameters}}; }
};

template <typename Values>
void take_away(Values& values, const Values& later) {
  std::erase_if(values, [&](const auto& entry) { return later.contains(entry.first); });
}

// What is left of a setting when another one comes later; false if nothing.
struct Remainder {
  bool operator()(CacheMode&, const CacheMode&) const { return false; }
  bool operator()(ClientOptions& s, const ClientOptions& later) const {
    take_away(s.options, later.options);
    return !s.options.empty();
  }
  bool operator()(JobOptions& s, const JobOptions& later) const {
    take_away(s.options, later.options);
    return !s.options.empty();
  }
  bool operator()(ConfigOptions& s, const ConfigOptions& later) const {
    if (s.who == later.who) take_away(s.options, later.options);
    return !s.options.empty();
  }
  bool operator()(ProcessEnvironment& s, const ProcessEnvironment& later) const {
    if (s.scope == later.scope) take_away(s.variables, later.variables);
    return !s.variables.empty();
  }
  bool operator()(AllocatorChoice& s, const AllocatorChoice& later) const {
    return s.scope != later.scope;
  }
  bool operator()(DaemonProgram& s, const DaemonProgram& later) const {
    return s.scope != later.scope;
  }
  bool operator()(KernelParameters& s, const KernelParameters& later) const {
    take_away(s.parameters, later.parameters);
    return !s.parameters.empty();
  }
  template <typename A, typename B>
  bool operator()(A&, const B&) const {
    return true;
  }
};

}  // namespace

const std::vector<std::string>& allocator_names() {
  static const std::vector<std::string> names = {"as-linked",        "glibc",    "tcmalloc",
                                                 "tcmalloc-minimal", "jemalloc", "mimalloc"};
  return names;
}

bool builds_on_found(const std::optional<std::string>& value) {
  return value && value->find(kFoundValue) != std::string::npos;
}

bool always_restarts(const Setting& setting) {
  if (const auto* environment = std::get_if<ProcessEnvironment>(&setting))
    return environment->scope != "client";
  if (const auto* allocator = std::get_if<AllocatorChoice>(&setting))
    return allocator->scope != "client";
  return std::holds_alternative<DaemonProgram>(setting);
}

bool changes_world(const Setting& setting) {
  return always_restarts(setting) || std::holds_alternative<ConfigOptions>(setting) ||
         std::holds_alternative<KernelParameters>(setting);
}

std::string canonical_place(const std::string& who) {
  std::string section = "global";
  std::string location;
  std::string device_class;
  for (const std::string& part : split(who, '/')) {
    if (part.starts_with("class:"))
      device_class = part;
    else if (part.find(':') != std::string::npos)
      location = part;
    else
      section = entity_of(part);
  }
  for (const std::string& mask : {location, device_class})
    if (!mask.empty()) section += "/" + mask;
  return section;
}

std::string describe(const Setting& setting) { return std::visit(Describer{}, setting); }

OrderedJson to_json(const Setting& setting) { return std::visit(Writer{}, setting); }

std::vector<Setting> in_force(const std::vector<Setting>& settings) {
  std::vector<Setting> out;
  for (size_t i = 0; i < settings.size(); ++i) {
    Setting setting = settings[i];
    bool left = true;
    for (size_t later = i + 1; left && later < settings.size(); ++later)
      left = std::visit(Remainder{}, setting, settings[later]);
    if (left) out.push_back(std::move(setting));
  }
  return out;
}

Setting parse_setting(const JsonDocument& document, const std::string& pointer) {
  JsonObject object(document, pointer);
  if (object.json().size() != 1)
    throw document.error_at(pointer, fmt::format("a setting is an object with one key, one of: {}",
                                                 join(kKinds, ", ")));
  if (object.has("cache")) return parse_cache(object);
  if (object.has("client")) return ClientOptions{options(document, object.object("client"))};
  if (object.has("job")) return JobOptions{options(document, object.object("job"))};
  if (object.has("config")) {
    const std::string who = only_key(document, object, "config");
    ConfigOptions config{canonical_place(who), {}};
    for (auto& [name, value] : optional_values(document, object.object("config").object(who)))
      config.options[canonical_name(name)] = value;
    return config;
  }
  if (object.has("environment")) {
    const std::string scope = scope_of(document, object, "environment", true);
    return ProcessEnvironment{scope,
                              variables(document, object.object("environment").object(scope))};
  }
  if (object.has("allocator")) return parse_allocator(document, object);
  if (object.has("program")) {
    const std::string scope = scope_of(document, object, "program", false);
    return DaemonProgram{
        scope, plain_text(document, object.at("program"), object.object("program").text(scope))};
  }
  if (object.has("sysctl")) return KernelParameters{options(document, object.object("sysctl"))};
  object.finish();
  throw document.error_at(pointer, "empty setting");
}

}  // namespace lab
