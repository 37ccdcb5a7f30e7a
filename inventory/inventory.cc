#include "inventory/inventory.h"

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
  root.finish();
  return inventory;
}

}  // namespace lab
