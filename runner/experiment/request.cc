#include "runner/experiment/request.h"

namespace lab {

OrderedJson to_json(const RunRequest& request) {
  OrderedJson json;
  json["job"] = request.job.string();
  json["matrix"] = request.matrix;
  json["target"] = request.target;
  json["inventory"] = request.inventory.string();
  json["sandbox_dir"] = request.sandbox_dir.string();
  json["repeat"] = request.repeat;
  if (request.runtime_s) json["runtime_s"] = *request.runtime_s;
  json["seed"] = request.seed;
  json["mark"] = request.mark;
  json["device"] = request.device;
  json["nbd_uri"] = request.nbd_uri;
  json["destroy_data"] = request.destroy_data;
  json["allow_invalid"] = request.allow_invalid;
  return json;
}

RunRequest request_from_json(const JsonDocument& document, const std::string& pointer) {
  JsonObject object(document, pointer);
  RunRequest request;
  request.job = object.text("job");
  request.matrix = object.text("matrix");
  request.target = object.text("target");
  request.inventory = object.text("inventory");
  request.sandbox_dir = object.text("sandbox_dir");
  request.repeat = static_cast<int>(object.number("repeat"));
  if (object.has("runtime_s")) request.runtime_s = object.real("runtime_s");
  request.seed = object.number("seed");
  request.mark = object.text("mark");
  request.device = object.text("device");
  request.nbd_uri = object.text("nbd_uri");
  for (const std::string& item : object.array("destroy_data"))
    request.destroy_data.push_back(
        document.root().at(OrderedJson::json_pointer(item)).get<std::string>());
  request.allow_invalid = object.flag_or("allow_invalid", false);
  return request;
}

}  // namespace lab
