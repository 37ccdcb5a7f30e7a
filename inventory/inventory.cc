#include "inventory/inventory.h"

#include <set>

#include "runner/base/text.h"

namespace lab {
namespace {

ClusterClass parse_class(JsonObject& object) {
  std::string text = object.text("class");
  for (ClusterClass c : {ClusterClass::sandbox, ClusterClass::staging, ClusterClass::production})
    if (text == to_text(c)) return c;
  throw object.error(
      "class", fmt::format("\"class\" is sandbox, staging or production, found \"{}\"", text));
}

Inventory::Daemons parse_daemons(JsonObject& object) {
  if (object.text("daemons") == "systemd") return Inventory::Daemons::systemd;
  throw object.error("daemons",
                     "\"daemons\" is \"systemd\": units of Ceph's packages on this host; leave it "
                     "out if they run otherwise or elsewhere");
}

// What one column of a CSV file can hold, and no column of two.
bool is_plain_name(const std::string& name) {
  for (const char c : name)
    if (static_cast<unsigned char>(c) <= 0x20 || c == ',' || c == '"') return false;
  return !name.empty();
}

NamedProcess parse_process(JsonObject& object, const fs::path& base) {
  NamedProcess process;
  process.name = object.text("name");
  if (!is_plain_name(process.name))
    throw object.error("name", "\"name\" of a process is one word without commas and quotes");
  process.unit = object.text_or("unit", "");
  process.command = object.text_or("command", "");
  process.pid_file = object.text_or("pid_file", "");
  if (!process.pid_file.empty() && process.pid_file.is_relative())
    process.pid_file = fs::absolute(base / process.pid_file);
  if ((process.pid_file.empty() ? 0 : 1) + (process.unit.empty() ? 0 : 1) +
          (process.command.empty() ? 0 : 1) !=
      1)
    throw object.error("name", fmt::format("process \"{}\" needs one of \"pid_file\", \"unit\" "
                                           "and \"command\"",
                                           process.name));
  process.metrics = object.text_or("metrics", "");
  if (!process.metrics.empty() && !process.metrics.starts_with("http://"))
    throw object.error("metrics", fmt::format("\"metrics\" is http://HOST:PORT/PATH, found \"{}\"",
                                              process.metrics));
  object.finish();
  return process;
}

std::vector<NamedProcess> parse_processes(const JsonDocument& document, JsonObject& root,
                                          const fs::path& base) {
  std::vector<NamedProcess> processes;
  std::set<std::string> names;
  for (const std::string& pointer : root.array("processes")) {
    JsonObject object(document, pointer);
    processes.push_back(parse_process(object, base));
    const std::string& name = processes.back().name;
    if (!names.insert(name).second)
      throw object.error("name", fmt::format("there are two processes named \"{}\"", name));
  }
  return processes;
}

fs::path existing_file(JsonObject& object, std::string_view key, const fs::path& base) {
  fs::path path = object.text(key);
  if (path.is_relative()) path = base / path;
  if (!fs::exists(path))
    throw object.error(key, fmt::format("{} {} does not exist", key, path.string()));
  return fs::absolute(path);
}

}  // namespace

std::string to_text(ClusterClass cluster_class) {
  switch (cluster_class) {
    case ClusterClass::sandbox:
      return "sandbox";
    case ClusterClass::staging:
      return "staging";
    case ClusterClass::production:
      break;
  }
  return "production";
}

Inventory load_inventory(const fs::path& path) {
  if (!fs::is_regular_file(path))
    throw usage_error("--inventory: no such file: {}; inventory/examples shows what it holds",
                      path.string());
  JsonDocument document = JsonDocument::load(path);
  JsonObject root(document, "");
  const fs::path base = path.has_parent_path() ? path.parent_path() : fs::path(".");
  Inventory inventory;
  inventory.name = path.string();
  if (root.has("class")) inventory.cluster_class = parse_class(root);
  if (root.has("sandbox")) {
    JsonObject sandbox = root.object("sandbox");
    inventory.sandbox.emplace();
    if (sandbox.has("dir")) {
      inventory.sandbox->dir = sandbox.text("dir");
      if (inventory.sandbox->dir.is_relative())
        inventory.sandbox->dir = fs::absolute(base / inventory.sandbox->dir);
    }
    sandbox.finish();
    inventory.cluster_class = ClusterClass::sandbox;
  } else {
    inventory.conf = existing_file(root, "conf", base);
    if (root.has("keyring")) inventory.keyring = existing_file(root, "keyring", base);
    if (root.has("daemons")) inventory.daemons = parse_daemons(root);
  }
  inventory.cluster = root.text_or("cluster", inventory.cluster);
  inventory.client = root.text_or("client", inventory.client);
  if (inventory.client.find('.') == std::string::npos)
    inventory.client = "client." + inventory.client;
  inventory.pool = root.text("pool");
  inventory.pool_namespace = root.text_or("namespace", "");
  inventory.image = root.text_or("image", "");
  if (root.has("size_limit")) {
    inventory.size_limit = root.bytes("size_limit");
    if (*inventory.size_limit < (4u << 20))
      throw root.error("size_limit", "\"size_limit\" is below 4 MiB: that is one RADOS object");
  }
  if (root.has("processes")) inventory.processes = parse_processes(document, root, base);
  root.finish();
  return inventory;
}

}  // namespace lab
