#include "results/manifest.h"

namespace lab::results {
namespace {

std::vector<std::string> texts(const JsonDocument& document, JsonObject& o, std::string_view key) {
  std::vector<std::string> out;
  if (!o.has(key)) return out;
  for (const std::string& at : o.array(key)) {
    const OrderedJson& v = document.root().at(OrderedJson::json_pointer(at));
    if (!v.is_string()) throw document.error_at(at, fmt::format("\"{}\" holds texts only", key));
    out.push_back(v.get<std::string>());
  }
  return out;
}

}  // namespace

Manifest manifest_from_json(const JsonDocument& document) {
  JsonObject o(document, "");
  Manifest m;
  uint64_t format = o.number("format");
  if (format != kFormat)
    throw o.error("format", fmt::format("this result directory has format {}, and this lab reads "
                                        "format {}; use the version of lab that wrote it ({})",
                                        format, kFormat, o.text_or("lab", "unknown")));
  m.lab = o.text_or("lab", "");
  m.created = o.text("created");
  m.command = texts(document, o, "command");
  if (o.has("request")) m.request = o.object("request").json();
  m.title = o.text("title");
  m.target = o.text("target");
  m.matrix = texts(document, o, "matrix");
  m.procedure = o.text_or("procedure", "");
  m.allow_invalid = o.flag_or("allow_invalid", false);
  m.invalid_reason = o.text_or("invalid_reason", "");
  if (o.has("conditions")) {
    JsonObject conditions = o.object("conditions");
    for (const auto& [key, unused] : conditions.json().items())
      m.conditions.emplace_back(key, conditions.text(key));
  }
  if (o.has("osds")) {
    for (const std::string& at : o.array("osds")) {
      JsonObject osd(document, at);
      m.osds.push_back({static_cast<int>(osd.number("id")), osd.text_or("host", ""),
                        osd.text_or("allocator", ""), osd.text_or("package", ""),
                        osd.text_or("version", "")});
    }
  }
  if (o.has("overhead")) {
    JsonObject overhead = o.object("overhead");
    m.overhead =
        Overhead{overhead.real_or("sandbox_start_s", 0), overhead.real_or("prefill_s", 0),
                 overhead.real("fio_s"), overhead.real("other_s"), overhead.real("other_percent")};
  }
  return m;
}

OrderedJson to_json(const Manifest& m) {
  OrderedJson j = {{"format", m.format},   {"lab", m.lab},
                   {"created", m.created}, {"command", m.command},
                   {"title", m.title},     {"target", m.target},
                   {"matrix", m.matrix},   {"allow_invalid", m.allow_invalid}};
  if (!m.procedure.empty()) j["procedure"] = m.procedure;
  j["request"] = m.request;
  if (m.allow_invalid) j["invalid_reason"] = m.invalid_reason;
  OrderedJson conditions = OrderedJson::object();
  for (const auto& [key, text] : m.conditions) conditions[key] = text;
  j["conditions"] = conditions;
  OrderedJson osds = OrderedJson::array();
  for (const OsdRecord& osd : m.osds)
    osds.push_back({{"id", osd.id},
                    {"host", osd.host},
                    {"allocator", osd.allocator},
                    {"package", osd.package},
                    {"version", osd.version}});
  j["osds"] = osds;
  if (m.overhead)
    j["overhead"] = {{"sandbox_start_s", m.overhead->sandbox_start_s},
                     {"prefill_s", m.overhead->prefill_s},
                     {"fio_s", m.overhead->fio_s},
                     {"other_s", m.overhead->other_s},
                     {"other_percent", m.overhead->other_percent}};
  return j;
}

}  // namespace lab::results
