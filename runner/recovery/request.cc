#include "runner/recovery/request.h"

#include <array>
#include <utility>

namespace lab::recovery {
namespace {

constexpr std::array<std::pair<Method, const char*>, 4> kMethods = {{{Method::stop, "stop"},
                                                                     {Method::out, "out"},
                                                                     {Method::rebuild, "rebuild"},
                                                                     {Method::host, "host"}}};

}  // namespace

std::string to_text(Method method) {
  for (const auto& [known, text] : kMethods)
    if (known == method) return text;
  return "";
}

Method method_of(const std::string& text) {
  for (const auto& [method, known] : kMethods)
    if (text == known) return method;
  throw usage_error("\"{}\" is no method of a recovery: stop, out, rebuild or host", text);
}

OrderedJson to_json(const Request& r) {
  OrderedJson json = {{"method", to_text(r.method)}};
  if (r.osd) json["osd"] = *r.osd;
  if (!r.host.empty()) json["host"] = r.host;
  json["load"] = r.load;
  json["baseline_s"] = r.baseline_s;
  json["failure_s"] = r.failure_s;
  json["clean_s"] = r.clean_s;
  json["cool_down_s"] = r.cool_down_s;
  json["limit_s"] = r.limit_s;
  return json;
}

Request request_from_json(JsonObject o) {
  Request r;
  r.method = method_of(o.text("method"));
  if (o.has("osd")) r.osd = static_cast<int>(o.number("osd"));
  r.host = o.text_or("host", "");
  r.load = o.flag_or("load", true);
  r.baseline_s = o.real("baseline_s");
  r.failure_s = o.real("failure_s");
  r.clean_s = o.real("clean_s");
  r.cool_down_s = o.real("cool_down_s");
  r.limit_s = o.real("limit_s");
  return r;
}

}  // namespace lab::recovery
