#include "runner/experiment/request.h"

namespace lab {
namespace {

std::vector<std::string> texts(const JsonDocument& document, JsonObject& object,
                               std::string_view key) {
  std::vector<std::string> out;
  for (const std::string& item : object.array(key))
    out.push_back(document.root().at(OrderedJson::json_pointer(item)).get<std::string>());
  return out;
}

}  // namespace

OrderedJson to_json(const RunRequest& request) {
  OrderedJson json;
  json["job"] = request.job.string();
  json["matrix"] = request.matrix;
  json["sweep"] = request.sweep;
  json["control"] = request.control;
  json["target"] = request.target;
  json["inventory"] = request.inventory.string();
  json["sandbox_dir"] = request.sandbox_dir.string();
  json["repeat"] = request.repeat;
  if (request.detect) json["detect"] = *request.detect;
  if (request.budget_s) json["budget_s"] = *request.budget_s;
  if (request.runtime_s) json["runtime_s"] = *request.runtime_s;
  json["seed"] = request.seed;
  json["warmup_s"] = request.warmup_s;
  json["mark"] = request.mark;
  json["device"] = request.device;
  json["nbd_uri"] = request.nbd_uri;
  json["destroy_data"] = request.destroy_data;
  json["allow_invalid"] = request.allow_invalid;
  if (request.recovery) json["recovery"] = recovery::to_json(*request.recovery);
  if (request.soak) json["soak"] = soak::to_json(*request.soak);
  return json;
}

RunRequest request_from_json(const JsonDocument& document, const std::string& pointer) {
  JsonObject object(document, pointer);
  RunRequest request;
  request.job = object.text("job");
  request.matrix = object.text("matrix");
  if (object.has("sweep")) request.sweep = texts(document, object, "sweep");
  request.control = object.flag_or("control", false);
  request.target = object.text("target");
  request.inventory = object.text("inventory");
  request.sandbox_dir = object.text("sandbox_dir");
  request.repeat = static_cast<int>(object.number("repeat"));
  if (object.has("detect")) request.detect = object.real("detect");
  if (object.has("budget_s")) request.budget_s = object.real("budget_s");
  if (object.has("runtime_s")) request.runtime_s = object.real("runtime_s");
  request.seed = object.number("seed");
  request.warmup_s = object.real_or("warmup_s", request.warmup_s);
  request.mark = object.text("mark");
  request.device = object.text("device");
  request.nbd_uri = object.text("nbd_uri");
  request.destroy_data = texts(document, object, "destroy_data");
  request.allow_invalid = object.flag_or("allow_invalid", false);
  if (object.has("recovery"))
    request.recovery = recovery::request_from_json(object.object("recovery"));
  if (object.has("soak")) request.soak = soak::request_from_json(object.object("soak"));
  return request;
}

}  // namespace lab
